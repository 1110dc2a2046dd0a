using System.Text;
using static BufferedMessages.Bridges.Tests.BridgeDirectory;

namespace BufferedMessages.Bridges.Tests;

/// <summary>Entries whose schema is damaged, and still looks like one. A destination that stored it would refuse the programs of its messages for good.</summary>
public sealed class DamagedSchemaTests : BridgeFixture
{
    private const int FingerprintOffset = 56;
    private const int TextOffset = 4;

    [Fact]
    public async Task A_schema_of_which_a_letter_is_damaged_is_not_stored()
    {
        using var source = Directories.Open("source");
        Publish(source, 0, 10);
        await ForwardAllAsync(source);
        var (header, body) = (Stream.Entries[0].Header.ToArray(), Stream.Entries[0].Body.ToArray());
        body[body.AsSpan().IndexOf("Sequence"u8)] = (byte)'Z';

        Assert.NotEqual(source.ContentFingerprint, MessageSchema.Parse(Encoding.UTF8.GetString(body.AsSpan(TextOffset))).Fingerprint);
        await AssertIsNotStoredAsync(header, body);
    }

    [Fact]
    public async Task Raw_bytes_with_a_damaged_fingerprint_are_not_stored()
    {
        using var source = Directories.Open("source");
        using (var producer = source.OpenProducer())
        {
            producer.Publish([1, 2, 3]);
        }

        await ForwardAllAsync(source);
        await AssertIsNotStoredAsync(WithDamagedFingerprint(Stream.Entries[0].Header), Stream.Entries[0].Body);
    }

    [Fact]
    public async Task The_fields_of_a_value_with_a_damaged_fingerprint_are_not_stored()
    {
        using var source = Directories.Open("source");
        using (var producer = source.OpenValueProducer<Reading>())
        {
            producer.Publish(new Reading { Degrees = 20 });
        }

        await ForwardAllAsync(source);
        await AssertIsNotStoredAsync(WithDamagedFingerprint(Stream.Entries[0].Header), Stream.Entries[0].Body);
    }

    private static byte[] WithDamagedFingerprint(ReadOnlyMemory<byte> header)
    {
        var damaged = header.ToArray();
        damaged[FingerprintOffset] ^= 1;
        return damaged;
    }

    private async Task AssertIsNotStoredAsync(ReadOnlyMemory<byte> header, ReadOnlyMemory<byte> body)
    {
        using var destination = Directories.Open("destination");
        var stream = new FakeStream();
        stream.Append(header, body);
        await using var receiver = destination.ReceiveFrom(stream, Eager);

        await Assert.ThrowsAsync<FormatException>(() => receiver.Completion.WaitAsync(TimeSpan.FromSeconds(30)));
        Assert.Null(destination.Content);
    }

    private struct Reading
    {
        public int Degrees;
    }
}
