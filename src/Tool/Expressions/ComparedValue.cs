using System.Globalization;
using System.Text.Json;

namespace BufferedMessages.Tool;

/// <summary>
/// A value of a comparison. Numbers compare as numbers, texts by their characters, so that dates in the format of JSON are in the order of time. A number and a text are
/// compared as numbers if the text is one. Values of other kinds are only equal or not.
/// </summary>
internal readonly record struct ComparedValue(JsonValueKind Kind, string Text)
{
    /// <summary>Gets the null.</summary>
    public static ComparedValue Null { get; } = new(JsonValueKind.Null, "");

    /// <summary>Makes the value of a member.</summary>
    public static ComparedValue Of(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.String => new ComparedValue(JsonValueKind.String, value.GetString()!),
        JsonValueKind.Null => Null,
        _ => new ComparedValue(value.ValueKind, value.GetRawText()),
    };

    /// <summary>Whether a comparison holds.</summary>
    public bool Satisfies(string comparison, ComparedValue right)
    {
        if (comparison is "contains")
        {
            return Kind == JsonValueKind.String && right.Kind != JsonValueKind.Null && Text.Contains(right.Text, StringComparison.Ordinal);
        }

        var order = Compare(right);
        return comparison switch
        {
            "==" => order == 0,
            "!=" => order != 0,
            "<" => order < 0,
            "<=" => order <= 0,
            ">" => order > 0,
            _ => order >= 0,
        };
    }

    // Null if the two have no order. They are different then.
    private int? Compare(ComparedValue right)
    {
        if (Kind == JsonValueKind.Null || right.Kind == JsonValueKind.Null)
        {
            return Kind == right.Kind ? 0 : null;
        }

        if (Kind == JsonValueKind.Number || right.Kind == JsonValueKind.Number)
        {
            return CompareNumbers(Text, right.Text);
        }

        if (Kind == JsonValueKind.String && right.Kind == JsonValueKind.String)
        {
            return string.CompareOrdinal(Text, right.Text);
        }

        return Kind == right.Kind && string.Equals(Text, right.Text, StringComparison.Ordinal) ? 0 : null;
    }

    // A decimal holds every integer of 64 bits exactly, and rounds small fractions: those that it takes for equal are compared as floating point, and large integers as 128 bits.
    private static int? CompareNumbers(string left, string right)
    {
        const NumberStyles Style = NumberStyles.Float;
        var culture = CultureInfo.InvariantCulture;
        if (decimal.TryParse(left, Style, culture, out var leftDecimal) && decimal.TryParse(right, Style, culture, out var rightDecimal) && leftDecimal.CompareTo(rightDecimal) is not 0 and var order)
        {
            return order;
        }

        if (System.Numerics.BigInteger.TryParse(left, NumberStyles.Integer, culture, out var leftInteger) && System.Numerics.BigInteger.TryParse(right, NumberStyles.Integer, culture, out var rightInteger))
        {
            return leftInteger.CompareTo(rightInteger);
        }

        return double.TryParse(left, Style, culture, out var leftDouble) && double.TryParse(right, Style, culture, out var rightDouble) && !double.IsNaN(leftDouble) && !double.IsNaN(rightDouble)
            ? leftDouble.CompareTo(rightDouble)
            : null;
    }
}
