using BenchmarkDotNet.Attributes;
using BufferedMessages;

namespace Toolkit.Benchmarks.Messages.Container;

/// <summary>The container of 30; all of its fields are read.</summary>
public class ContainerBenchmarks : MessageBenchmarks<FooBarContainer, Protobuf.FooBarContainer>
{
    [GlobalSetup]
    public override void Setup()
    {
        var container = FooBarContainer.Create(entries: 30);
        Setup(container, ContainerProtobuf.Convert(container), ContainerJson.Default.FooBarContainer);
    }

    protected override bool Verify(ReadOnlySpan<byte> message) => BufferedMessage.Verify<FooBarContainerBufferedMessage>(message, out _);

    protected override long ReadView(ReadOnlySpan<byte> message)
    {
        var container = new FooBarContainerBufferedMessage(message);
        var sum = (container.Initialized ? 1 : 0) + (int)container.Fruit + container.Location.Length + (long)container.Location.Utf8[^1];
        foreach (var entry in container.List)
        {
            var name = entry.Name.Utf8;
            var sibling = entry.Sibling;
            var parent = sibling.Parent;
            sum += name.Length + name[^1] + (long)entry.Rating + entry.Postfix;
            sum += sibling.Time + (long)sibling.Ratio + sibling.Size;
            sum += (long)parent.Id + parent.Count + parent.Prefix + parent.Length;
        }

        return sum;
    }

    protected override long Read(FooBarContainer source)
    {
        var sum = (source.Initialized ? 1 : 0) + (int)source.Fruit + source.Location!.Length + (long)source.Location[^1];
        foreach (var entry in source.List!)
        {
            var name = entry.Name!;
            var sibling = entry.Sibling!;
            var parent = sibling.Parent!;
            sum += name.Length + name[^1] + (long)entry.Rating + entry.Postfix;
            sum += sibling.Time + (long)sibling.Ratio + sibling.Size;
            sum += (long)parent.Id + parent.Count + parent.Prefix + parent.Length;
        }

        return sum;
    }

    protected override long Read(Protobuf.FooBarContainer source)
    {
        var sum = (source.Initialized ? 1 : 0) + (int)source.Fruit + source.Location.Length + (long)source.Location[^1];
        foreach (var entry in source.List)
        {
            var name = entry.Name;
            var sibling = entry.Sibling;
            var parent = sibling.Parent;
            sum += name.Length + name[^1] + (long)entry.Rating + entry.Postfix;
            sum += sibling.Time + (long)sibling.Ratio + sibling.Size;
            sum += (long)parent.Id + parent.Count + parent.Prefix + parent.Length;
        }

        return sum;
    }
}
