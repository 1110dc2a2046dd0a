using System.Collections.Immutable;
using BufferedMessages.Wire;

namespace BufferedMessages.Runtime.Tests.Wire;

public class SourceElementsTests
{
    private const int BlockBytes = 8;

    [Fact]
    public void Collections_that_are_null_are_written_as_null()
    {
        Assert.True(IsNullWhenRead(SourceElements.Of((int[]?)null)));
        Assert.True(IsNullWhenRead(SourceElements.Of((List<int>?)null)));
        Assert.True(IsNullWhenRead(SourceElements.OfSequence((IEnumerable<int>?)null).Span));
        Assert.True(IsNullWhenRead(SourceElements.Of(default(ImmutableArray<int>))));
        Assert.True(IsNullWhenRead(SourceElements.Of(default(ArraySegment<int>))));
    }

    [Fact]
    public void Empty_collections_are_written_as_empty()
    {
        Assert.False(IsNullWhenRead(SourceElements.Of(Array.Empty<int>())));
        Assert.False(IsNullWhenRead(SourceElements.Of(new List<int>())));
        Assert.False(IsNullWhenRead(SourceElements.OfSequence(Enumerable.Empty<int>()).Span));
        Assert.False(IsNullWhenRead(SourceElements.OfSequence(new HashSet<int>()).Span));
        Assert.False(IsNullWhenRead(SourceElements.OfSequence(new Queue<int>()).Span));
        Assert.False(IsNullWhenRead(SourceElements.OfSequence(Sequence(0)).Span));
        Assert.False(IsNullWhenRead(SourceElements.Of(ArraySegment<int>.Empty)));
        Assert.False(IsNullWhenRead(SourceElements.Of(ImmutableArray<int>.Empty)));
    }

    [Fact]
    public void Memories_are_never_written_as_null()
    {
        Assert.False(IsNullWhenRead(SourceElements.Of(default(Memory<int>))));
        Assert.False(IsNullWhenRead(SourceElements.Of(default(ReadOnlyMemory<int>))));
    }

    [Fact]
    public void A_segment_of_an_array_of_a_derived_type_is_read_like_the_array()
    {
        string[] texts = ["a", "b", "c"];

        Assert.Equal("b c", string.Join(' ', SourceElements.Of(new ArraySegment<object>(texts, 1, 2)).ToArray()));
        Assert.Equal("a b c", string.Join(' ', SourceElements.Of((ArraySegment<object>?)new ArraySegment<object>(texts)).ToArray()));
    }

    [Fact]
    public void A_list_of_strings_that_is_null_is_written_as_null()
    {
        Assert.True(IsNullWhenRead(static (ref writer) => writer.WriteStrings(WireFormat.HeaderBytes, 0, SourceElements.Of((string[]?)null))));
        Assert.False(IsNullWhenRead(static (ref writer) => writer.WriteStrings(WireFormat.HeaderBytes, 0, SourceElements.Of(Array.Empty<string>()))));
    }

    [Fact]
    public void A_list_of_nullables_that_is_null_is_written_as_null()
    {
        Assert.True(IsNullWhenRead(static (ref writer) => writer.WriteNullables(WireFormat.HeaderBytes, 0, SourceElements.Of((int?[]?)null))));
        Assert.False(IsNullWhenRead(static (ref writer) => writer.WriteNullables(WireFormat.HeaderBytes, 0, SourceElements.Of(Array.Empty<int?>()))));
    }

    [Fact]
    public void A_binary_that_is_null_is_written_as_null()
    {
        Assert.True(IsNullWhenRead(static (ref writer) => writer.WriteBinary(WireFormat.HeaderBytes, 0, SourceElements.Of((byte[]?)null))));
        Assert.False(IsNullWhenRead(static (ref writer) => writer.WriteBinary(WireFormat.HeaderBytes, 0, SourceElements.Of(Array.Empty<byte>()))));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(16)]
    [InlineData(17)]
    [InlineData(1000)]
    public void A_sequence_that_can_only_be_enumerated_is_copied_whole(int count)
    {
        using var elements = SourceElements.OfSequence(Sequence(count));

        Assert.Equal(Enumerable.Range(0, count), elements.Span.ToArray());
    }

    [Theory]
    [InlineData(1)]
    [InlineData(100)]
    public void A_collection_that_grows_while_it_is_copied_is_named_as_changed(int growth)
    {
        var source = new GrowingCollection(growth);

        Assert.Contains("was changed while it was written", Assert.Throws<InvalidOperationException>(() => SourceElements.OfSequence(source)).Message, StringComparison.Ordinal);
    }

    private static IEnumerable<int> Sequence(int count)
    {
        for (var i = 0; i < count; i++)
        {
            yield return i;
        }
    }

    private static bool IsNullWhenRead(ReadOnlySpan<int> elements)
    {
        Span<byte> message = new byte[64];
        var writer = new MessageWriter(message, BlockBytes);
        writer.WriteValues(WireFormat.HeaderBytes, 0, elements);
        return IsNullWhenRead(message[..writer.Finish()]);
    }

    private static bool IsNullWhenRead(WriteMember write)
    {
        Span<byte> message = new byte[64];
        var writer = new MessageWriter(message, BlockBytes);
        write(ref writer);
        return IsNullWhenRead(message[..writer.Finish()]);
    }

    // The slot is zero if and only if the member is null.
    private static bool IsNullWhenRead(ReadOnlySpan<byte> message) => BlockReader.OfMessage(message).Read<ulong>(0) == 0;

    /// <summary>A collection to which another thread adds elements whenever its count was read.</summary>
    private sealed class GrowingCollection(int growth) : ICollection<int>
    {
        private readonly List<int> _elements = [1];

        public int Count
        {
            get
            {
                var count = _elements.Count;
                _elements.AddRange(Sequence(growth));
                return count;
            }
        }

        public bool IsReadOnly => false;

        public void Add(int item) => _elements.Add(item);

        public void Clear() => _elements.Clear();

        public bool Contains(int item) => _elements.Contains(item);

        public void CopyTo(int[] array, int arrayIndex) => _elements.CopyTo(array, arrayIndex);

        public bool Remove(int item) => _elements.Remove(item);

        public IEnumerator<int> GetEnumerator() => _elements.GetEnumerator();

        System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => GetEnumerator();
    }

    private delegate void WriteMember(ref MessageWriter writer);
}
