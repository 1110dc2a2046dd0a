using System.Runtime.CompilerServices;
using System.Text.Json.Serialization;
using Google.Protobuf;

namespace Toolkit.Benchmarks.Messages.Entities;

/// <summary>System.Text.Json, source generated, for the entity.</summary>
[JsonSerializable(typeof(Entity))]
internal sealed partial class EntityJson : JsonSerializerContext;

/// <summary>The entity as a Protobuf object.</summary>
internal static class EntityProtobuf
{
    public static Protobuf.Entity Convert(Entity source)
    {
        var price = Unsafe.BitCast<decimal, UInt128>(source.DecimalValue);
        return new Protobuf.Entity
        {
            ByteValue = source.ByteValue,
            SByteValue = source.SByteValue,
            ShortValue = source.ShortValue,
            UShortValue = source.UShortValue,
            IntValue = source.IntValue,
            UIntValue = source.UIntValue,
            LongValue = source.LongValue,
            ULongValue = source.ULongValue,
            FloatValue = source.FloatValue,
            DoubleValue = source.DoubleValue,
            DecimalLow = (ulong)price,
            DecimalHigh = (ulong)(price >> 64),
            CharValue = source.CharValue,
            BoolValue = source.BoolValue,
            Bytes = ByteString.CopyFrom(source.Bytes),
        };
    }

    /// <summary>The decimal of which the parts are stored.</summary>
    public static decimal DecimalOf(Protobuf.Entity entity) => Unsafe.BitCast<UInt128, decimal>(new UInt128(entity.DecimalHigh, entity.DecimalLow));
}
