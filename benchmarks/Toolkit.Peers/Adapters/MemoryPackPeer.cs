using System.Buffers;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using BufferedMessages.Peers;
using MemoryPack;

namespace Toolkit.Peers.Adapters;

internal sealed class MemoryPackPeer : IMessagePeer
{
    private readonly FooBarContainer _source = FooBarContainer.From(Toolkit.Benchmarks.Messages.Container.FooBarContainer.Create(entries: 30));
    private readonly ArrayBufferWriter<byte> _destination = new();

    public MemoryPackPeer() => Write();

    public string Name => "MemoryPack";

    public Assembly Library => typeof(MemoryPackSerializer).Assembly;

    public int Write()
    {
        _destination.ResetWrittenCount();
        MemoryPackSerializer.Serialize(_destination, _source);
        return _destination.WrittenCount;
    }

    public long Read()
    {
        var container = MemoryPackSerializer.Deserialize<FooBarContainer>(_destination.WrittenSpan)!;
        var sum = (container.Initialized ? 1 : 0) + (int)container.Fruit + container.Location.Length + (long)container.Location[^1];
        foreach (var entry in container.List)
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

[MemoryPackable]
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

[MemoryPackable]
public partial class FooBar
{
    public Bar Sibling { get; set; } = null!;

    public string Name { get; set; } = "";

    public double Rating { get; set; }

    public byte Postfix { get; set; }
}

[MemoryPackable]
public partial class Bar
{
    public Foo Parent { get; set; } = null!;

    public int Time { get; set; }

    public float Ratio { get; set; }

    public ushort Size { get; set; }
}

[MemoryPackable]
public partial class Foo
{
    public ulong Id { get; set; }

    public short Count { get; set; }

    public sbyte Prefix { get; set; }

    public uint Length { get; set; }
}
