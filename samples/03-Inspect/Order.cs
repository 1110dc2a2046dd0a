using BufferedMessages;

namespace Shop;

/// <summary>What somebody wants to have.</summary>
// <order>
[BufferedMessageSource]
public partial record Order(int Id, string? Note, List<OrderLine> Lines);
// </order>
