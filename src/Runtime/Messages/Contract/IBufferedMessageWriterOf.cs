using System.ComponentModel;

namespace BufferedMessages;

/// <summary>A writer of the messages of a source type, for a producer of that type.</summary>
/// <typeparam name="TSelf">The implementing writer itself.</typeparam>
/// <typeparam name="TSource">The source type.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IBufferedMessageWriterOf<TSelf, TSource> : IBufferedMessageWriter<TSelf>
    where TSelf : IBufferedMessageWriterOf<TSelf, TSource>, allows ref struct
    where TSource : IBufferedMessageSource<TSource>;
