using System.Security.Cryptography;
using System.Text;

namespace BufferedMessages.Tool;

/// <summary>
/// The proof that a change comes from a page that was opened by the printed address. The server never sends it: neither a page of another site nor another user of the machine can ask for it.
/// </summary>
/// <param name="Text">The token as text.</param>
internal sealed record ChangeToken(string Text)
{
    /// <summary>The header that has it.</summary>
    public const string Header = "X-BufferedMessages-Changes";

    private const int Bytes = 24;

    /// <summary>Makes one that cannot be guessed.</summary>
    public static ChangeToken Create() => new(Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(Bytes)));

    /// <summary>Whether a text is the token. Takes the same time for every text of its length.</summary>
    public bool Matches(string? given) => given is not null && CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(given), Encoding.UTF8.GetBytes(Text));
}
