using BenchmarkDotNet.Attributes;
using BufferedMessages;

namespace Toolkit.Benchmarks.Messages.Documents;

/// <summary>An access log of 10,000 requests as one message; of each request the status, the number of bytes and the length of the path are read.</summary>
public class AccessLogBenchmarks : MessageBenchmarks<AccessLog, Protobuf.AccessLog>
{
    [GlobalSetup]
    public override void Setup()
    {
        var log = DocumentData.AccessLog();
        Setup(log, DocumentProtobuf.Convert(log), DocumentJson.Default.AccessLog);
    }

    protected override bool Verify(ReadOnlySpan<byte> message) => BufferedMessage.Verify<AccessLogBufferedMessage>(message, out _);

    protected override long ReadView(ReadOnlySpan<byte> message)
    {
        var sum = 0L;
        foreach (var request in new AccessLogBufferedMessage(message).Requests)
        {
            sum += request.Status + request.Bytes.GetValueOrDefault() + request.Path.Length;
        }

        return sum;
    }

    protected override long Read(AccessLog document)
    {
        var sum = 0L;
        foreach (var request in document.Requests!)
        {
            sum += request.Status + request.Bytes.GetValueOrDefault() + request.Path!.Length;
        }

        return sum;
    }

    protected override long Read(Protobuf.AccessLog document)
    {
        var sum = 0L;
        foreach (var request in document.Requests)
        {
            sum += request.Status + request.Bytes + request.Path.Length;
        }

        return sum;
    }
}
