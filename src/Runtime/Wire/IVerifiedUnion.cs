using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>A union whose cases can be verified. The generated views of unions are such.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IVerifiedUnion
{
    /// <summary>Verifies the message of a case.</summary>
    /// <param name="verifier">The walk over the message.</param>
    /// <param name="number">The number of the case; never 0.</param>
    /// <param name="block">The block of the case.</param>
    /// <returns>Whether all rules hold. If not, the verifier knows which one does not.</returns>
    static abstract bool Verify(ref MessageVerifier verifier, ushort number, BlockReader block);
}
