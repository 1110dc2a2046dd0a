using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using BenchmarkDotNet.Attributes;
using BufferedMessages;

namespace Toolkit.Benchmarks.Messages.Entities;

/// <summary>An entity of 13 primitives and 128 bytes; all of them are read. The floor of reading is a struct that lies in memory.</summary>
public class EntityBenchmarks : MessageBenchmarks<Entity, Protobuf.Entity>
{
    private byte[] _raw = [];

    [GlobalSetup]
    public override void Setup()
    {
        var source = Entity.Create();
        _raw = new byte[Unsafe.SizeOf<RawEntity>()];
        MemoryMarshal.Write(_raw, RawEntity.Of(source));
        Setup(source, EntityProtobuf.Convert(source), EntityJson.Default.Entity);
    }

    [Benchmark]
    public long Read_RawMemory()
    {
        ref readonly var entity = ref MemoryMarshal.AsRef<RawEntity>(_raw);
        ReadOnlySpan<byte> bytes = entity.Bytes;
        var sum = bytes.Length + bytes[^1] + (long)entity.ByteValue + entity.SByteValue + entity.ShortValue + entity.UShortValue + entity.IntValue + entity.UIntValue;
        sum += entity.LongValue + (long)entity.ULongValue + (long)entity.FloatValue + (long)entity.DoubleValue + SumOf(entity.DecimalValue) + entity.CharValue + (entity.BoolValue ? 1 : 0);
        return sum;
    }

    protected override bool Verify(ReadOnlySpan<byte> message) => BufferedMessage.Verify<EntityBufferedMessage>(message, out _);

    protected override long ReadView(ReadOnlySpan<byte> message)
    {
        var entity = new EntityBufferedMessage(message);
        var bytes = entity.Bytes;
        var sum = bytes.Length + bytes[^1] + (long)entity.ByteValue + entity.SByteValue + entity.ShortValue + entity.UShortValue + entity.IntValue + entity.UIntValue;
        sum += entity.LongValue + (long)entity.ULongValue + (long)entity.FloatValue + (long)entity.DoubleValue + SumOf(entity.DecimalValue) + entity.CharValue + (entity.BoolValue ? 1 : 0);
        return sum;
    }

    protected override long Read(Entity source)
    {
        var bytes = source.Bytes;
        var sum = bytes.Length + bytes[^1] + (long)source.ByteValue + source.SByteValue + source.ShortValue + source.UShortValue + source.IntValue + source.UIntValue;
        sum += source.LongValue + (long)source.ULongValue + (long)source.FloatValue + (long)source.DoubleValue + SumOf(source.DecimalValue) + source.CharValue + (source.BoolValue ? 1 : 0);
        return sum;
    }

    protected override long Read(Protobuf.Entity source)
    {
        var bytes = source.Bytes.Span;
        var sum = bytes.Length + bytes[^1] + (long)source.ByteValue + source.SByteValue + source.ShortValue + source.UShortValue + source.IntValue + source.UIntValue;
        sum += source.LongValue + (long)source.ULongValue + (long)source.FloatValue + (long)source.DoubleValue + SumOf(EntityProtobuf.DecimalOf(source)) + source.CharValue + (source.BoolValue ? 1 : 0);
        return sum;
    }

    // Its words: arithmetic of decimals would take longer than reading all members.
    private static long SumOf(decimal value)
    {
        var words = Unsafe.BitCast<decimal, UInt128>(value);
        return (long)(ulong)words + (long)(ulong)(words >> 64);
    }
}
