using BufferedMessages;

namespace PairNamespace1.Messages;

/// <summary>A message. The view of its bytes, OrderBufferedMessage, is generated.</summary>
[BufferedMessageSource]
public partial record Order(Guid Id, string Article, int Quantity);
