using System.Diagnostics;

namespace BufferedMessages.Caching;

/// <summary>The place of one entry in an <see cref="IndexTable"/>, which must be kept alive while the cell is used. The default value is not a cell.</summary>
internal readonly struct IndexCell
{
    // SAFETY: as the constructor says.
    private readonly unsafe ulong* _word;

    // SAFETY: the table computes the address from a bucket in its file, and keeps the file mapped.
    public unsafe IndexCell(ulong* word)
    {
        Debug.Assert((nuint)word % sizeof(ulong) == 0, "Readers would see halves of a word that is not aligned.");
        _word = word;
    }

    // SAFETY: compares the address, and reads nothing.
    public unsafe bool Exists => _word is not null;

    /// <summary>Gets the word of the entry, see <see cref="IndexWord"/>.</summary>
    // SAFETY: the constructor's caller has bounded the address, and the table keeps it mapped.
    public unsafe ulong Word => Volatile.Read(ref *_word);

    // SAFETY: as Word.
    public unsafe void Write(ulong word) => Volatile.Write(ref *_word, word);

    // SAFETY: as Word.
    public unsafe ulong Exchange(ulong word) => Interlocked.Exchange(ref *_word, word);

    /// <summary>Replaces a word, unless the cell holds another one by now.</summary>
    // SAFETY: as Word.
    public unsafe void TryReplace(ulong known, ulong word) => Interlocked.CompareExchange(ref *_word, word, known);
}
