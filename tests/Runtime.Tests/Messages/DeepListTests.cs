using System.Buffers.Binary;
using System.Text.Json;

namespace BufferedMessages.Runtime.Tests.Messages;

/// <summary>Lists in lists are not counted as messages in messages are, so a message and a schema together can be nested 64 times 64 deep.</summary>
public class DeepListTests
{
    private const int Lists = 64;
    private const int Messages = 64;
    private const int StackBytes = 256 * 1024;
    private const string Rule = "too deep for the stack";

    private static readonly MessageSchema Deep = MessageSchema.Parse(
        $"message Deep\n0 {string.Concat(Enumerable.Repeat("list(", Lists))}message(Deep){new string(')', Lists)} Rest\n");

    [Fact]
    public void A_verification_does_not_overflow_the_stack() =>
        RunOn(StackBytes, static () =>
        {
            Assert.False(BufferedMessage.Verify(DeepMessage(), Deep, out var error));
            Assert.Contains(Rule, error.Rule, StringComparison.Ordinal);
        });

    [Fact]
    public void A_listing_does_not_overflow_the_stack() =>
        RunOn(StackBytes, static () => Assert.Contains(Rule, BufferedMessage.Explain(DeepMessage(), Deep), StringComparison.Ordinal));

    [Fact]
    public void Json_does_not_overflow_the_stack() =>
        RunOn(StackBytes, static () =>
        {
            using var json = new Utf8JsonWriter(Stream.Null, new JsonWriterOptions { MaxDepth = int.MaxValue });
            var thrown = Assert.Throws<MalformedMessageException>(() => BufferedMessage.WriteJson(DeepMessage(), Deep, json));
            Assert.Contains(Rule, thrown.Rule, StringComparison.Ordinal);
        });

    [Fact]
    public void A_large_stack_has_room_for_the_deepest_message() =>
        RunOn(256 * 1024 * 1024, static () =>
        {
            Assert.True(BufferedMessage.Verify(DeepMessage(), Deep, out var error), error.ToString());
            Assert.DoesNotContain(Rule, BufferedMessage.Explain(DeepMessage(), Deep), StringComparison.Ordinal);
        });

    private static void RunOn(int stackBytes, Action check)
    {
        Exception? thrown = null;
        var thread = new Thread(() => thrown = Record.Exception(check), stackBytes);
        thread.Start();
        thread.Join();
        Assert.Null(thrown);
    }

    // Each slot leads to the word after it: to the slot of the next list, or to the header of a list of messages, which its one block follows.
    private static byte[] DeepMessage()
    {
        var words = new List<ulong> { 0 };
        for (var depth = 1; depth < Messages; depth++)
        {
            words.AddRange(Enumerable.Repeat((8UL << 32) | 1, Lists));
            words.Add(1);
        }

        words.Add(0);
        words[0] = ((ulong)words.Count * 8 << 32) | (1 << 16) | 1;
        var bytes = new byte[words.Count * 8];
        for (var i = 0; i < words.Count; i++)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(bytes.AsSpan(i * 8), words[i]);
        }

        return bytes;
    }
}
