using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using BufferedMessages.Peers;
using NativeBuffering;

namespace Toolkit.Peers.Adapters;

internal sealed class NativeBufferingPeer : IMessagePeer
{
    private readonly FooBarContainer _source = FooBarContainer.From(Toolkit.Benchmarks.Messages.Container.FooBarContainer.Create(entries: 30));
    private readonly byte[] _destination;

    public NativeBufferingPeer()
    {
        // Its views point into the array.
        _destination = GC.AllocateArray<byte>(_source.CalculateSize(), pinned: true);
        Write();
    }

    public string Name => "NativeBuffering";

    public Assembly Library => typeof(BufferedMessageSourceAttribute).Assembly;

    public int Write()
    {
        var context = BufferedObjectWriteContext.Acquire(_destination);
        _source.Write(context);
        BufferedObjectWriteContext.Release(context);
        return _destination.Length;
    }

    public long Read()
    {
        var container = FooBarContainerBufferedMessage.Parse(new NativeBuffer(_destination));
        string location = container.Location;
        var sum = (container.Initialized ? 1 : 0) + (int)container.Fruit + location.Length + (long)location[^1];
        var list = container.List;
        var count = list.Count;
        for (var i = 0; i < count; i++)
        {
            var entry = list[i]!.Value;
            string name = entry.Name;
            var sibling = entry.Sibling!.Value;
            var parent = sibling.Parent!.Value;
            sum += name.Length + name[^1] + (long)entry.Rating + entry.Postfix;
            sum += sibling.Time + (long)sibling.Ratio + sibling.Size;
            sum += (long)parent.Id + parent.Count + parent.Prefix + parent.Length;
        }

        return sum;
    }
}

[BufferedMessageSource]
public partial class FooBarContainer
{
    public List<FooBar> List { get; set; } = [];

    public bool Initialized { get; set; }

    public short Fruit { get; set; }

    public string Location { get; set; } = "";

    internal static FooBarContainer From(Toolkit.Benchmarks.Messages.Container.FooBarContainer source) => new()
    {
        Initialized = source.Initialized,
        Fruit = (short)source.Fruit,
        Location = source.Location!,
        List = source.List!.Select(static entry => new FooBar
        {
            Name = entry.Name!,
            Rating = entry.Rating,
            Postfix = entry.Postfix,
            Sibling = new Bar
            {
                Time = entry.Sibling!.Time,
                Ratio = entry.Sibling.Ratio,
                Size = entry.Sibling.Size,
                Parent = new Foo { Id = entry.Sibling.Parent!.Id, Count = entry.Sibling.Parent.Count, Prefix = entry.Sibling.Parent.Prefix, Length = entry.Sibling.Parent.Length },
            },
        }).ToList(),
    };
}

[BufferedMessageSource]
public partial class FooBar
{
    public Bar Sibling { get; set; } = null!;

    public string Name { get; set; } = "";

    public double Rating { get; set; }

    public byte Postfix { get; set; }
}

[BufferedMessageSource]
public partial class Bar
{
    public Foo Parent { get; set; } = null!;

    public int Time { get; set; }

    public float Ratio { get; set; }

    public ushort Size { get; set; }
}

[BufferedMessageSource]
public partial class Foo
{
    public ulong Id { get; set; }

    public short Count { get; set; }

    public sbyte Prefix { get; set; }

    public uint Length { get; set; }
}
