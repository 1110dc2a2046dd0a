namespace BufferedMessages.Caching;

/// <summary>A whole record that an inspection found. Its value stays in the file.</summary>
/// <param name="Slot">The slot of its segment.</param>
/// <param name="Offset">Its offset there.</param>
/// <param name="Sequence">Its sequence number: of two records of a key the one with the larger number wins.</param>
/// <param name="ExpiresAt">Milliseconds since 1970; 0 for never.</param>
/// <param name="Schema">The fingerprint of its schema; 0 for bytes.</param>
/// <param name="Key">Its key.</param>
/// <param name="ValueBytes">The size of its value.</param>
/// <param name="WasRemoved">Whether one of its tags was removed since it was set.</param>
internal sealed record FoundRecord(int Slot, long Offset, ulong Sequence, long ExpiresAt, ulong Schema, byte[] Key, int ValueBytes, bool WasRemoved);
