using System.Collections.Immutable;

namespace BufferedMessages.Caching;

/// <summary>The tags of entries, and their bytes in a record. Immutable.</summary>
/// <param name="Names">The tags.</param>
/// <param name="Block">Their bytes.</param>
internal sealed record EntryTags(ImmutableArray<string> Names, byte[] Block)
{
    /// <summary>Makes the tags of an entry; equal ones are one.</summary>
    /// <exception cref="ArgumentException">There are too many, or one is null.</exception>
    public static EntryTags Of(ImmutableArray<string> names)
    {
        ImmutableArray<string> different = [.. names.Distinct(StringComparer.Ordinal)];
        return different.Length <= TagBlock.MaxTags
            ? new EntryTags(different, TagBlock.Of(different, born: 0))
            : throw new ArgumentException($"An entry can have at most {TagBlock.MaxTags} different tags, but has {different.Length}.", nameof(names));
    }

    /// <summary>Makes them those of a value whose creation began at a number of the clock of tags.</summary>
    public EntryTags BornAt(ulong number) => this with { Block = TagBlock.Of(Names, number) };
}
