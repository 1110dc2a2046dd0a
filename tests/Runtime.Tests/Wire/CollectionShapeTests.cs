using System.Buffers;
using System.Collections;
using System.Collections.Immutable;
using System.Collections.ObjectModel;

namespace BufferedMessages.Runtime.Tests.Wire;

public class CollectionShapeTests
{
    private const byte Untouched = 0xEE;

    public static TheoryData<string[]?> Elements =>
    [
        null,
        [],
        ["one"],
        [.. Enumerable.Range(0, 30).Select(static i => $"the element {i}")],
    ];

    [Theory]
    [MemberData(nameof(Elements))]
    public void Every_collection_comes_back_in_its_order(string[]? elements)
    {
        var copy = new TextCollectionsBufferedMessage(TextCollections.Of(elements).ToMessageArray()).ToTextCollections();

        Assert.All(copy.All(), collection => Assert.Equal(elements, collection));
    }

    [Theory]
    [MemberData(nameof(Elements))]
    public void Every_collection_is_the_same_list_in_the_view(string[]? elements)
    {
        var view = new TextCollectionsBufferedMessage(TextCollections.Of(elements).ToMessageArray());

        AssertSame(elements, view.Array);
        AssertSame(elements, view.List);
        AssertSame(elements, view.Segment);
        AssertSame(elements, view.MaybeSegment);
        AssertSame(elements, view.ImmutableArray);
        AssertSame(elements, view.MaybeImmutableArray);
        AssertSame(elements, view.Memory);
        AssertSame(elements, view.ReadOnlyMemory);
        AssertSame(elements, view.IList);
        AssertSame(elements, view.ICollection);
        AssertSame(elements, view.IReadOnlyList);
        AssertSame(elements, view.IReadOnlyCollection);
        AssertSame(elements, view.Enumerable);
        AssertSame(elements, view.ImmutableList);
        AssertSame(elements, view.Queue);
        AssertSame(elements, view.Stack);
        AssertSame(elements, view.LinkedList);
        AssertSame(elements, view.Collection);
        AssertSame(elements, view.ReadOnlyCollection);
        AssertSame(elements, view.ObservableCollection);
    }

    [Fact]
    public void A_stack_pops_in_the_same_order()
    {
        var stack = new Stack<string>();
        stack.Push("first");
        stack.Push("last");

        var copy = Copy(new TextCollections { Stack = stack }).Stack!;

        Assert.Equal("last", copy.Pop());
        Assert.Equal("first", copy.Pop());
    }

    [Fact]
    public void A_required_stack_pops_in_the_same_order_beside_an_initializer()
    {
        var source = new RequiredStack { Numbers = new Stack<int>([1, 2]), Name = null! };

        var copy = new RequiredStackBufferedMessage(source.ToMessageArray()).ToRequiredStack();

        Assert.Equal([2, 1], copy.Numbers);
        Assert.Equal("none", copy.Name);
    }

    [Fact]
    public void A_segment_stores_its_part_of_the_array()
    {
        var source = new DefaultCollections { Numbers = new ArraySegment<int>([1, 2, 3, 4], 1, 2), Bytes = new ArraySegment<byte>([1, 2, 3], 2, 1) };

        var view = new DefaultCollectionsBufferedMessage(source.ToMessageArray());

        Assert.Equal([2, 3], view.Numbers.ToArray());
        Assert.Equal(3, Assert.Single(view.Bytes.ToArray()));
    }

    [Fact]
    public void Default_segments_and_immutable_arrays_are_null_and_memories_are_not()
    {
        var source = new DefaultCollections { MaybeImmutable = default(ImmutableArray<int>), Segments = [default, ArraySegment<int>.Empty] };

        var message = source.ToMessageArray();
        var view = new DefaultCollectionsBufferedMessage(message);
        var copy = view.ToDefaultCollections();

        Assert.True(view.Bytes.IsNull && view.Numbers.IsNull && view.Immutable.IsNull && view.MaybeImmutable.IsNull && view.Segments[0].IsNull);
        Assert.False(view.Memory.IsNull || view.Segments[1].IsNull);
        Assert.True(copy.Bytes.Array is null && copy.Numbers.Array is null && copy.Immutable.IsDefault && copy.MaybeImmutable is null && copy.Segments![0].Array is null);
        Assert.Equal(message, copy.ToMessageArray());
    }

    [Fact]
    public void Collections_of_every_kind_come_back()
    {
        var source = new QueuesOfKinds
        {
            Numbers = new Queue<int>([1, 2, 3]),
            Prices = new Stack<decimal>([1m, 2.5m]),
            Maybes = new LinkedList<int?>([1, null]),
            Structs = [new Padded { A = 1, B = 2 }],
            MaybeStructs = [null, new Padded { A = 3, B = 4 }],
            Bytes = new Queue<byte>([1, 2]),
            Blobs = new Queue<byte[]>([[1], []]),
            Messages = [null, new Inner { Number = 5, Text = "five" }],
            Nested = new Stack<Queue<string>>([new Queue<string>(["a", "b"]), new Queue<string>()]),
            Dictionaries = new Queue<Dictionary<string, int>>([new() { ["a"] = 1 }, []]),
            ByName = new() { ["a"] = new Stack<int>([1, 2]) },
        };

        var message = source.ToMessageArray();
        var view = new QueuesOfKindsBufferedMessage(message);
        var copy = view.ToQueuesOfKinds();

        Assert.Equal([1, 2, 3], view.Numbers.ToArray());
        Assert.Equal(2.5m, view.Prices[0]);
        Assert.Equal(5, view.Messages[1].Number);
        Assert.True(view.Nested[1][1] == "b");
        Assert.Equal([2, 1], view.ByName["a"].Span.ToArray());
        Assert.Equal(source.Nested, copy.Nested!);
        Assert.Equal(message, copy.ToMessageArray());
    }

    [Fact]
    public void A_sequence_is_walked_once_for_its_size_and_once_to_be_written()
    {
        var walks = 0;
        var source = new Walked { Numbers = Numbers(), Texts = [Texts()] };

        source.CalculateSize();
        Assert.Equal(2, walks);

        source.ToMessageArray();
        Assert.Equal(4, walks);

        IEnumerable<long> Numbers()
        {
            walks++;
            yield return 1;
        }

        IEnumerable<string> Texts()
        {
            walks++;
            yield return "a";
        }
    }

    [Fact]
    public void A_sequence_that_gives_more_the_second_time_is_refused()
    {
        var source = new Walked { Numbers = new Changing<long>([1], [1, 2, 3]) };
        var size = source.CalculateSize();
        var buffer = new byte[size + 256];
        buffer.AsSpan().Fill(Untouched);

        Assert.Throws<ArgumentException>(() => source.Write(buffer.AsSpan(0, size)));

        Assert.True(buffer.AsSpan(size).IndexOfAnyExcept(Untouched) < 0);
    }

    [Fact]
    public void A_sequence_that_gives_less_the_second_time_gives_a_shorter_message()
    {
        var source = new Walked { Numbers = new Changing<long>([1, 2, 3], [1]), Texts = [new Changing<string>(["a long text", "b"], ["c"])] };
        var buffer = new byte[source.CalculateSize()];

        var size = source.Write(buffer);

        var view = new WalkedBufferedMessage(buffer.AsSpan(0, size));
        Assert.True(size < buffer.Length);
        Assert.Equal([1], view.Numbers.ToArray());
        Assert.True(view.Texts[0][0] == "c");
    }

    [Fact]
    public void A_collection_that_shrinks_while_it_is_copied_is_refused()
    {
        var source = new Walked { Numbers = new Claiming([1, 2], [4, 2]) };

        var refused = Assert.Throws<InvalidOperationException>(() => source.CalculateSize());

        Assert.Contains("changed", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void What_a_collection_does_not_copy_is_zero_and_not_what_the_pool_held()
    {
        var old = ArrayPool<long>.Shared.Rent(4);
        old.AsSpan().Fill(0x5EC2E7);
        ArrayPool<long>.Shared.Return(old);

        var view = new WalkedBufferedMessage(new Walked { Numbers = new Claiming([1, 2], [4]) }.ToMessageArray());

        Assert.Equal([1, 2, 0, 0], view.Numbers.ToArray());
    }

    private static TextCollections Copy(TextCollections source) => new TextCollectionsBufferedMessage(source.ToMessageArray()).ToTextCollections();

    private static void AssertSame(string[]? expected, BufferedList<BufferedString> actual)
    {
        Assert.Equal(expected is null, actual.IsNull);
        Assert.Equal(expected?.Length ?? 0, actual.Count);
        for (var i = 0; i < actual.Count; i++)
        {
            Assert.Equal(expected![i], actual[i].ToString());
        }
    }

    /// <summary>A sequence that is another one the second time.</summary>
    private sealed class Changing<T>(T[] first, T[] second) : IEnumerable<T>
    {
        private int _walks;

        public IEnumerator<T> GetEnumerator() => (_walks++ == 0 ? first : second).AsEnumerable().GetEnumerator();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }

    /// <summary>A collection that claims to have other counts than it has, one after the other; the last one stays.</summary>
    private sealed class Claiming(long[] elements, int[] counts) : Collection<long>([.. elements]), ICollection<long>
    {
        private int _asked;

        int ICollection<long>.Count => counts[Math.Min(_asked++, counts.Length - 1)];
    }
}
