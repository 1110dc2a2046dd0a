using System.Text;
using BufferedMessages.Wire;

namespace BufferedMessages.Runtime.Tests.Wire;

public class XxHash64Tests
{
    // Published with the algorithm: results for seed 0.
    [Theory]
    [InlineData("", 0xEF46DB3751D8E999)]
    [InlineData("a", 0xD24EC4F1A98C6E5B)]
    [InlineData("abc", 0x44BC2CF5AD770999)]
    [InlineData("message digest", 0x066ED728FCEEB3BE)]
    [InlineData("abcdefghijklmnopqrstuvwxyz", 0xCFE1F278FA89835C)]
    [InlineData("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", 0xAAA46907D3047814)]
    [InlineData("12345678901234567890123456789012345678901234567890123456789012345678901234567890", 0xE04A477F19EE145D)]
    public void Hash_of_a_published_vector_is_the_published_value(string text, ulong expected) =>
        Assert.Equal(expected, XxHash64.Hash(Encoding.ASCII.GetBytes(text)));
}
