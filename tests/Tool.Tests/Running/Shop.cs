namespace Shop;

/// <summary>A message of the tests.</summary>
[BufferedMessages.BufferedMessageSource]
public partial record Order(int Id, string? Note, List<OrderLine> Lines);

/// <summary>A line of an order.</summary>
[BufferedMessages.BufferedMessageSource]
public partial record OrderLine(string Article, int Quantity);

/// <summary>A number of the tests.</summary>
[BufferedMessages.BufferedMessageSource]
public partial record Measured(int Id, double Value);

/// <summary>A message of the tests with a text and a dictionary that may be empty.</summary>
[BufferedMessages.BufferedMessageSource]
public partial record Tagged(int Id, string? Note, Dictionary<string, int>? Totals);

/// <summary>A message whose members have names in other scripts.</summary>
[BufferedMessages.BufferedMessageSource]
public partial record Translated(int Größe, string नाम, int Ⅷ);
