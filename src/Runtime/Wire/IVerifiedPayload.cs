using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>What a slot leads to, and how it is verified. The views of strings, binaries, unions, lists, sets and dictionaries are such.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IVerifiedPayload
{
    /// <summary>Verifies a slot and what it leads to.</summary>
    /// <param name="verifier">The walk over the message.</param>
    /// <param name="container">The block or slot array that holds the slot.</param>
    /// <param name="offset">Offset of the slot in it, in bytes.</param>
    /// <returns>Whether all rules hold. If not, the verifier knows which one does not.</returns>
    static abstract bool Verify(ref MessageVerifier verifier, BlockReader container, int offset);
}
