using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>A block whose members can be verified. Every generated view is one.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IVerifiedBlock
{
    /// <summary>Verifies the members in ordinal order.</summary>
    /// <param name="verifier">The walk over the message.</param>
    /// <param name="block">The block; never the one of a null message.</param>
    /// <returns>Whether all rules hold. If not, the verifier knows which one does not.</returns>
    static abstract bool Verify(ref MessageVerifier verifier, BlockReader block);
}
