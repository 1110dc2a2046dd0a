namespace BufferedMessages.CrossProcess.Torture;

/// <summary>Takes most seats of a queue, so that those of the dead must be used again.</summary>
internal sealed class Crowd : IDisposable
{
    private readonly List<MessageProducer> _producers = [];

    public Crowd(string directory, RoundPlan plan)
    {
        if (plan.Crowd > 0)
        {
            using var queue = MessageQueue.Open(directory, plan.Options);
            for (var i = 0; i < plan.Crowd; i++)
            {
                _producers.Add(queue.OpenProducer());
            }
        }
    }

    public void Dispose() => _producers.ForEach(producer => producer.Dispose());
}
