using System.Text.Json.Serialization;

namespace Toolkit.Benchmarks.Messages.Container;

/// <summary>System.Text.Json, source generated, for the container.</summary>
[JsonSerializable(typeof(FooBarContainer))]
public sealed partial class ContainerJson : JsonSerializerContext;

/// <summary>The container's values as Protobuf objects.</summary>
public static class ContainerProtobuf
{
    public static Protobuf.FooBarContainer Convert(FooBarContainer source)
    {
        var result = new Protobuf.FooBarContainer
        {
            Initialized = source.Initialized,
            Fruit = (Protobuf.Fruit)source.Fruit,
            Location = source.Location,
        };
        result.List.AddRange(source.List!.Select(Convert));
        return result;
    }

    private static Protobuf.FooBar Convert(FooBar source) => new()
    {
        Name = source.Name,
        Rating = source.Rating,
        Postfix = source.Postfix,
        Sibling = new Protobuf.Bar
        {
            Time = source.Sibling!.Time,
            Ratio = source.Sibling.Ratio,
            Size = source.Sibling.Size,
            Parent = new Protobuf.Foo
            {
                Id = source.Sibling.Parent!.Id,
                Count = source.Sibling.Parent.Count,
                Prefix = source.Sibling.Parent.Prefix,
                Length = source.Sibling.Parent.Length,
            },
        },
    };
}
