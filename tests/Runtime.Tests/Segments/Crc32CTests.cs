using System.Numerics;
using BufferedMessages.Segments;

namespace BufferedMessages.Runtime.Tests.Segments;

/// <summary>The check has the same value, however many of its bytes are calculated at the same time.</summary>
public class Crc32CTests
{
    [Fact]
    public void The_check_of_a_text_is_the_known_one() => Assert.Equal(0xE306_9283, ~Crc32C.Append(Crc32C.Start, "123456789"u8));

    [Fact]
    public void The_check_of_any_length_is_that_of_its_bytes_one_after_the_other()
    {
        var bytes = new byte[8_000];
        new Random(20_261_123).NextBytes(bytes);
        foreach (var length in Enumerable.Range(0, 1_200).Concat([3_071, 3_072, 3_073, 3_096, 4_096, 6_143, 6_145, 7_999, 8_000]))
        {
            foreach (var start in new[] { Crc32C.Start, 0u, 0x1234_5678u })
            {
                var expected = start;
                foreach (var value in bytes.AsSpan(0, length))
                {
                    expected = BitOperations.Crc32C(expected, value);
                }

                Assert.True(expected == Crc32C.Append(start, bytes.AsSpan(0, length)), $"{length} bytes from {start:X8}");
            }
        }
    }

    [Fact]
    public void A_check_goes_on_where_another_one_ended()
    {
        var bytes = new byte[1_000];
        new Random(5).NextBytes(bytes);
        var whole = Crc32C.Append(Crc32C.Start, bytes);
        for (var cut = 0; cut <= bytes.Length; cut++)
        {
            Assert.Equal(whole, Crc32C.Append(Crc32C.Append(Crc32C.Start, bytes.AsSpan(0, cut)), bytes.AsSpan(cut)));
        }
    }
}
