using BenchmarkDotNet.Attributes;

namespace Toolkit.Benchmarks.Documents;

/// <summary>An access log of 10,000 requests as one message; three fields of each request are read.</summary>
public class AccessLogBenchmarks : DocumentBenchmarks<AccessLog, Protobuf.AccessLog>
{
    [GlobalSetup]
    public void Setup()
    {
        var log = DocumentData.AccessLog();
        Setup(log, DocumentProtobuf.Convert(log), DocumentJson.Default.AccessLog);
    }

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
