using BufferedMessages;

namespace Shop;

// <order>
[BufferedMessageSource]
public partial class Order
{
    public int Id { get; set; }
    public string? Note { get; set; }
    public List<OrderLine> Lines { get; set; } = [];
}
// </order>
