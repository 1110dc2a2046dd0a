namespace BufferedMessages.Wire;

/// <summary>How the keys of a dictionary, or the elements of a set, are verified.</summary>
internal interface IVerifiedKeys
{
    /// <summary>Bytes of one key in the array of keys: the value, or a slot.</summary>
    static abstract int ElementBytes { get; }

    /// <summary>Verifies one key.</summary>
    /// <param name="verifier">The walk over the message.</param>
    /// <param name="keys">The array of keys.</param>
    /// <param name="offset">Offset of the key, or of its slot, in it.</param>
    /// <param name="key">The bytes by which it is hashed and compared.</param>
    /// <returns>Whether all rules hold. If not, the verifier knows which one does not.</returns>
    static abstract bool Verify(scoped ref MessageVerifier verifier, BlockReader keys, int offset, out ReadOnlySpan<byte> key);
}
