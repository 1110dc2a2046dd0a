namespace Shop;

/// <summary>A message of the tests with a member of each kind that is a column.</summary>
[BufferedMessages.BufferedMessageSource]
public partial record Measure(
    long Id, string? Place, double Value, bool IsValid, Grade Grade, int? Count, DateTimeOffset Moment, DateOnly Day, TimeSpan Span, decimal Price, byte[] Bytes, List<int> Others);

/// <summary>A grade.</summary>
public enum Grade : byte
{
    None,
    Bad,
    Good,
}
