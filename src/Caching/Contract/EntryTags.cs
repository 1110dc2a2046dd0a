using System.Collections.Immutable;

namespace BufferedMessages.Caching;

/// <summary>The tags of entries, and their bytes in a record. Immutable.</summary>
/// <param name="Names">The tags.</param>
/// <param name="Block">Their bytes.</param>
internal sealed record EntryTags(ImmutableArray<string> Names, byte[] Block)
{
    /// <exception cref="ArgumentException">There are too many, or one is null or empty.</exception>
    public static EntryTags Of(ImmutableArray<string> names) =>
        names.Length > TagBlock.MaxTags ? throw new ArgumentException($"An entry has at most {TagBlock.MaxTags} tags. There are {names.Length}.", nameof(names))
        : names.Any(string.IsNullOrEmpty) ? throw new ArgumentException("A tag is null or empty.", nameof(names))
        : new EntryTags(names, TagBlock.Of(names, born: 0));

    /// <summary>Makes them those of a value whose creation began at a number of the clock of tags.</summary>
    public EntryTags BornAt(ulong number) => this with { Block = TagBlock.Of(Names, number) };
}
