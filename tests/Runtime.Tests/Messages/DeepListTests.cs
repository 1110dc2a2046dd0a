using System.Globalization;
using System.Text.Json;

namespace BufferedMessages.Runtime.Tests.Messages;

/// <summary>
/// Lists in lists are not counted as messages in messages are, so a message and a schema together can be nested 64 times 64 deep. The types of a schema can refer to each other
/// in a chain of any length.
/// </summary>
public class DeepListTests
{
    private const int StackBytes = 256 * 1024;
    private const string Rule = "too deep for the stack";

    [Fact]
    public void A_verification_does_not_overflow_the_stack() =>
        RunOn(StackBytes, static () =>
        {
            Assert.False(BufferedMessage.Verify(DeepLists.Message(), DeepLists.Schema, out var error));
            Assert.Contains(Rule, error.Rule, StringComparison.Ordinal);
        });

    [Fact]
    public void A_listing_does_not_overflow_the_stack() =>
        RunOn(StackBytes, static () => Assert.Contains(Rule, BufferedMessage.Explain(DeepLists.Message(), DeepLists.Schema), StringComparison.Ordinal));

    [Fact]
    public void Json_does_not_overflow_the_stack() =>
        RunOn(StackBytes, static () =>
        {
            using var json = new Utf8JsonWriter(Stream.Null, new JsonWriterOptions { MaxDepth = int.MaxValue });
            var thrown = Assert.Throws<MalformedMessageException>(() => BufferedMessage.WriteJson(DeepLists.Message(), DeepLists.Schema, json));
            Assert.Contains(Rule, thrown.Rule, StringComparison.Ordinal);
        });

    [Fact]
    public void A_large_stack_has_room_for_the_deepest_message() =>
        RunOn(256 * 1024 * 1024, static () =>
        {
            Assert.True(BufferedMessage.Verify(DeepLists.Message(), DeepLists.Schema, out var error), error.ToString());
            Assert.DoesNotContain(Rule, BufferedMessage.Explain(DeepLists.Message(), DeepLists.Schema), StringComparison.Ordinal);
        });

    [Fact]
    public void A_chain_of_types_is_not_limited_by_the_stack() =>
        RunOn(StackBytes, static () =>
        {
            const int Types = 10_000;
            var lines = Enumerable.Range(0, Types).Select(static type => string.Create(CultureInfo.InvariantCulture, $"message T{type}\n0 message(T{(type + 1) % Types}) Next\n"));
            byte[] message = [1, 0, 1, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

            Assert.True(BufferedMessage.Verify(message, MessageSchema.Parse(string.Concat(lines)), out var error, exact: true), error.ToString());
        });

    private static void RunOn(int stackBytes, Action check)
    {
        Exception? thrown = null;
        var thread = new Thread(() => thrown = Record.Exception(check), stackBytes);
        thread.Start();
        thread.Join();
        Assert.Null(thrown);
    }
}
