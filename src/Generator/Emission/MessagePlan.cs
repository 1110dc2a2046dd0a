using BufferedMessages.Generator.Layout;
using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>A message and the layout of its block: all that emission knows.</summary>
internal sealed record MessagePlan(MessageModel Message, MessageLayout Layout)
{
    /// <summary>Plans a message.</summary>
    public static MessagePlan Of(MessageModel message) =>
        new(message, LayoutPlanner.Plan(message.Ordinals().Select(static ordinal => ordinal.Kind)));
}
