using BufferedMessages.Generator.Layout;
using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>A message and the layout of its block: the whole input for emitting the block and the view.</summary>
/// <param name="Message">The message.</param>
/// <param name="Layout">The layout of its block.</param>
/// <param name="Anonymous">The anonymous messages in it, in ordinal order.</param>
internal sealed record MessagePlan(MessageModel Message, MessageLayout Layout, EquatableArray<AnonymousPlan> Anonymous)
{
    /// <summary>Plans a message.</summary>
    public static MessagePlan Of(MessageModel message) => new(
        message,
        LayoutPlanner.Plan(message.Ordinals().Select(static ordinal => ordinal.Kind)),
        new EquatableArray<AnonymousPlan>(message.Anonymous().Select(static part => new AnonymousPlan(Of(part.Message), HasView: !part.IsReserved))));
}
