using BufferedMessages.Hosting;

namespace BufferedMessages.HostingBenchmarks;

/// <summary>The responder of the measurement. It does not answer to a negative id.</summary>
internal sealed class Answers : IResponder<QuestionBufferedMessage, Answer>
{
    public ValueTask<Answer> RespondAsync(QuestionBufferedMessage request, MessageContext context, CancellationToken cancellationToken)
    {
        var id = request.Id;
        return id < 0 ? NeverAsync(cancellationToken) : new ValueTask<Answer>(new Answer { Id = id, Text = "as you wish" });
    }

    private static async ValueTask<Answer> NeverAsync(CancellationToken cancellationToken)
    {
        await Task.Delay(Timeout.Infinite, cancellationToken);
        return new Answer();
    }
}
