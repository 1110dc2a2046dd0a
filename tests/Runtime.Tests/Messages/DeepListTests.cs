using System.Text.Json;

namespace BufferedMessages.Runtime.Tests.Messages;

/// <summary>Lists in lists are not counted as messages in messages are, so a message and a schema together can be nested 64 times 64 deep.</summary>
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

    private static void RunOn(int stackBytes, Action check)
    {
        Exception? thrown = null;
        var thread = new Thread(() => thrown = Record.Exception(check), stackBytes);
        thread.Start();
        thread.Join();
        Assert.Null(thrown);
    }
}
