using System.Collections.Immutable;
using System.Collections.ObjectModel;

namespace BufferedMessages.Runtime.Tests.Wire;

/// <summary>Strings in every collection type that is stored as a list.</summary>
[BufferedMessageSource]
internal partial class TextCollections
{
    public string[]? Array { get; set; }

    public List<string>? List { get; set; }

    public ArraySegment<string> Segment { get; set; }

    public ArraySegment<string>? MaybeSegment { get; set; }

    public ImmutableArray<string> ImmutableArray { get; set; }

    public ImmutableArray<string>? MaybeImmutableArray { get; set; }

    public Memory<string>? Memory { get; set; }

    public ReadOnlyMemory<string>? ReadOnlyMemory { get; set; }

    public IList<string>? IList { get; set; }

    public ICollection<string>? ICollection { get; set; }

    public IReadOnlyList<string>? IReadOnlyList { get; set; }

    public IReadOnlyCollection<string>? IReadOnlyCollection { get; set; }

    public IEnumerable<string>? Enumerable { get; set; }

    public ImmutableList<string>? ImmutableList { get; set; }

    public Queue<string>? Queue { get; set; }

    public Stack<string>? Stack { get; set; }

    public LinkedList<string>? LinkedList { get; set; }

    public Collection<string>? Collection { get; set; }

    public ReadOnlyCollection<string>? ReadOnlyCollection { get; set; }

    public ObservableCollection<string>? ObservableCollection { get; set; }

    /// <summary>All collections of these elements; a stack gives them in this order.</summary>
    public static TextCollections Of(string[]? elements) => elements is null ? new TextCollections() : new TextCollections
    {
        Array = elements,
        List = [.. elements],
        Segment = elements,
        MaybeSegment = elements,
        ImmutableArray = [.. elements],
        MaybeImmutableArray = [.. elements],
        Memory = elements,
        ReadOnlyMemory = elements,
        IList = [.. elements],
        ICollection = [.. elements],
        IReadOnlyList = [.. elements],
        IReadOnlyCollection = [.. elements],
        Enumerable = elements.Select(static element => element),
        ImmutableList = [.. elements],
        Queue = new Queue<string>(elements),
        Stack = new Stack<string>(elements.Reverse()),
        LinkedList = new LinkedList<string>(elements),
        Collection = [.. elements],
        ReadOnlyCollection = new ReadOnlyCollection<string>(elements),
        ObservableCollection = [.. elements],
    };

    /// <summary>The collections in the order of the members; null for those that are null.</summary>
    public IEnumerable<IEnumerable<string>?> All() =>
    [
        Array, List, Segment.Array is null ? null : (IEnumerable<string>)Segment, MaybeSegment, ImmutableArray.IsDefault ? null : (IEnumerable<string>)ImmutableArray, MaybeImmutableArray,
        Memory?.ToArray(), ReadOnlyMemory?.ToArray(), IList, ICollection, IReadOnlyList, IReadOnlyCollection, Enumerable, ImmutableList, Queue, Stack,
        LinkedList, Collection, ReadOnlyCollection, ObservableCollection,
    ];
}

/// <summary>Collections that do not lie in one piece, of every kind of element.</summary>
[BufferedMessageSource]
internal partial class QueuesOfKinds
{
    public Queue<int>? Numbers { get; set; }

    public Stack<decimal>? Prices { get; set; }

    public LinkedList<int?>? Maybes { get; set; }

    public ImmutableList<Padded>? Structs { get; set; }

    public Collection<Padded?>? MaybeStructs { get; set; }

    public Queue<byte>? Bytes { get; set; }

    public Queue<byte[]>? Blobs { get; set; }

    public ObservableCollection<Inner?>? Messages { get; set; }

    public Stack<Queue<string>>? Nested { get; set; }

    public Queue<Dictionary<string, int>>? Dictionaries { get; set; }

    public Dictionary<string, Stack<int>>? ByName { get; set; }
}

/// <summary>Collections whose default value is null, and those that are never null.</summary>
[BufferedMessageSource]
internal partial class DefaultCollections
{
    public ArraySegment<byte> Bytes { get; set; }

    public ArraySegment<int> Numbers { get; set; }

    public ImmutableArray<int> Immutable { get; set; }

    public ImmutableArray<int>? MaybeImmutable { get; set; }

    public Memory<int> Memory { get; set; }

    public List<ArraySegment<int>>? Segments { get; set; }
}

/// <summary>A required stack beside a member whose initializer is asked for: an object of the source is made twice.</summary>
[BufferedMessageSource]
internal partial class RequiredStack
{
    public required Stack<int> Numbers { get; init; }

    public string Name { get; init; } = "none";
}

/// <summary>A member that is walked when its size is calculated, and again when it is written.</summary>
[BufferedMessageSource]
internal partial class Walked
{
    public IEnumerable<long>? Numbers { get; init; }

    public List<IEnumerable<string>>? Texts { get; init; }
}
