using System.Runtime.CompilerServices;

namespace BufferedMessages.Samples.Tests.Ports;

// <struct>
public struct TestStruct
{
    public int IntValue;
    public long LongValue;
    public double DoubleValue;
    public Text20 StringValue;                          // up to 20 characters; an inline array needs no unsafe code
}

[InlineArray(20)]
public struct Text20
{
    private char _first;
}
// </struct>
