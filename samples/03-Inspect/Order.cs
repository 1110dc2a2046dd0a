using BufferedMessages;

namespace Shop;

/// <summary>An order of a customer.</summary>
// <order>
[BufferedMessageSource]
public partial record Order(int Id, string? Note, List<OrderLine> Lines);
// </order>
