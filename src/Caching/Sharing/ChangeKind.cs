namespace BufferedMessages.Caching;

/// <summary>The changes that a process asks the owner of a shared cache for.</summary>
internal enum ChangeKind
{
    Set = 1,
    Remove = 2,
    Touch = 3,
    Clear = 4,
    RemoveTags = 5,
}
