namespace BufferedMessages.Hosting;

/// <summary>A function that makes a result of a reply in place: <c>reply => reply.Amount</c>. It must return soon, since further replies of the client wait for it.</summary>
/// <typeparam name="TReplyView">A generated view, <see cref="RawMessage"/> or <see cref="ValueMessage{T}"/>.</typeparam>
/// <typeparam name="TResult">The type of the result.</typeparam>
/// <param name="reply">The reply; it must not be used after the call.</param>
public delegate TResult ReplyReader<TReplyView, out TResult>(TReplyView reply)
    where TReplyView : IQueuePayload<TReplyView>, allows ref struct;
