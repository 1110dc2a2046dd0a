using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>The payload of a list, without the slot that points to it: so a dictionary can hold its values as one. The views of lists are such.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IVerifiedElements
{
    /// <summary>Verifies the elements.</summary>
    /// <param name="verifier">The walk over the message.</param>
    /// <param name="position">Where they are said to begin, in bytes from the start of the message.</param>
    /// <param name="count">How many there are said to be; at least one.</param>
    /// <returns>Whether all rules hold. If not, the verifier knows which one does not.</returns>
    static abstract bool Verify(ref MessageVerifier verifier, ulong position, uint count);
}
