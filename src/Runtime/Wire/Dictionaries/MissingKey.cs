using System.Diagnostics.CodeAnalysis;
using System.Text;

namespace BufferedMessages.Wire;

/// <summary>The exceptions for keys that are not in a dictionary, away from the lookups.</summary>
internal static class MissingKey
{
    [DoesNotReturn]
    public static void Throw(ReadOnlySpan<byte> key) => Throw(Encoding.UTF8.GetString(key));

    [DoesNotReturn]
    public static void Throw(ReadOnlySpan<char> key) => Throw(key.ToString());

    [DoesNotReturn]
    public static void Throw<TKey>(TKey key) =>
        throw new KeyNotFoundException(FormattableString.Invariant($"The key '{key}' is not in the dictionary. Use TryGetValue for keys that may be missing."));
}
