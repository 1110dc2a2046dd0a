using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>A source and the plan of its messages: the whole input for emitting a file.</summary>
internal sealed record SourcePlan(SourceModel Source, MessagePlan Message)
{
    /// <summary>Plans a source.</summary>
    public static SourcePlan Of(SourceModel source) => new(source, MessagePlan.Of(source.Message));
}
