namespace Shop;

/// <summary>A message of the tests whose address has a converter, which the tool does not know.</summary>
[BufferedMessages.BufferedMessageSource]
public partial record Offer(int Id, [property: BufferedMessages.BufferedMessageConverter(typeof(UriConverter))] Uri? Site);

/// <summary>An address as a string.</summary>
public static class UriConverter
{
    /// <summary>Gives the string.</summary>
    public static string ToWire(Uri value) => value.OriginalString;

    /// <summary>Gives the address.</summary>
    public static Uri FromWire(string value) => new(value, UriKind.Absolute);
}
