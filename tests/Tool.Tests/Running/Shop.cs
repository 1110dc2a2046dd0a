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

/// <summary>A message of the tests with a number that neither a decimal nor a floating-point number holds exactly.</summary>
[BufferedMessages.BufferedMessageSource]
public partial record Counted(UInt128 Total, bool IsClosed);

/// <summary>A message of the tests with a text and a dictionary that may be empty.</summary>
[BufferedMessages.BufferedMessageSource]
public partial record Tagged(int Id, string? Note, Dictionary<string, int>? Totals);

/// <summary>A message whose members have names in other scripts.</summary>
[BufferedMessages.BufferedMessageSource]
public partial record Translated(int Größe, string नाम, int Ⅷ);

/// <summary>A message of the tests whose nested messages have members with the names of words of a template.</summary>
[BufferedMessages.BufferedMessageSource]
public partial record Route(int Id, List<Stop> Stops);

/// <summary>A stop of a route.</summary>
[BufferedMessages.BufferedMessageSource]
public partial record Stop(int Position, string Time);
