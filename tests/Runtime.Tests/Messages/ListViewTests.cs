using BufferedMessages.Runtime.Tests.Wire;

namespace BufferedMessages.Runtime.Tests.Messages;

public class ListViewTests
{
    private static readonly byte[] Values = new ValueLists { Flags = [true, false, true], Shorts = [1, 2], Empty = [] }.ToMessageArray();
    private static readonly byte[] Nullables = new NullableLists { Ints = [7, null, 9], Empty = [] }.ToMessageArray();
    private static readonly byte[] Slots = new SlotLists { Texts = ["a", null, "a longer one"], Matrix = [[1, 2], [3]], Blobs = [[1], null] }.ToMessageArray();
    private static readonly byte[] Messages = new MessageLists { Some = [null, new Inner { Number = 3 }], Empty = [] }.ToMessageArray();

    [Theory]
    [InlineData(-1)]
    [InlineData(3)]
    [InlineData(int.MaxValue)]
    [InlineData(int.MinValue)]
    public void An_index_outside_of_the_list_is_refused(int index)
    {
        AssertRefused(() => { _ = new ValueListsBufferedMessage(Values).Flags[index]; });
        AssertRefused(() => { _ = new NullableListsBufferedMessage(Nullables).Ints[index]; });
        AssertRefused(() => { _ = new SlotListsBufferedMessage(Slots).Texts[index]; });
        AssertRefused(() => { _ = new MessageListsBufferedMessage(Messages).Some[index]; });
        Assert.Throws<IndexOutOfRangeException>(() => { _ = new SlotListsBufferedMessage(Slots).Matrix[0][index]; });
    }

    [Fact]
    public void An_enumerator_gives_nothing_before_the_first_element_and_after_the_last()
    {
        AssertGuarded(new ValueListsBufferedMessage(Values).Flags.GetEnumerator(), 3);
        AssertGuarded(new ValueListsBufferedMessage(new ValueLists().ToMessageArray()).Flags.GetEnumerator(), 0);
        AssertGuarded(new NullableListsBufferedMessage(Nullables).Ints.GetEnumerator(), 3);
        AssertGuarded(new SlotListsBufferedMessage(Slots).Texts.GetEnumerator(), 3);
        AssertGuarded(new MessageListsBufferedMessage(Messages).Some.GetEnumerator(), 2);
        AssertGuarded(new MessageListsBufferedMessage(Messages).Empty.GetEnumerator(), 0);
        AssertGuarded(default(BufferedListEnumerator<BufferedList<BufferedString>, BufferedString>), 0);
    }

    [Fact]
    public void A_null_list_has_no_elements()
    {
        var values = new ValueListsBufferedMessage(new ValueLists().ToMessageArray());
        Assert.True(values.Flags.IsNull);
        Assert.Equal(0, values.Flags.Count);
        Assert.True(values.Shorts.IsNull);
        Assert.True(values.Shorts.IsEmpty);
        foreach (var flag in values.Flags)
        {
            Assert.Fail($"A null list gave {flag}.");
        }

        var slots = new SlotListsBufferedMessage(new SlotLists().ToMessageArray());
        Assert.True(slots.Texts.IsNull);
        Assert.Equal(0, slots.Texts.Count);
        foreach (var text in slots.Texts)
        {
            Assert.Fail($"A null list gave {text}.");
        }

        AssertRefused(() => { _ = new NullableListsBufferedMessage(new NullableLists().ToMessageArray()).Ints[0]; });
    }

    [Fact]
    public void An_empty_list_is_not_null()
    {
        var values = new ValueListsBufferedMessage(Values);
        Assert.False(values.Empty.IsNull);
        Assert.True(values.Empty.IsEmpty);
        var nullables = new NullableListsBufferedMessage(Nullables);
        Assert.False(nullables.Empty.IsNull);
        Assert.Equal(0, nullables.Empty.Count);
        var messages = new MessageListsBufferedMessage(Messages);
        Assert.False(messages.Empty.IsNull);
        Assert.Equal(0, messages.Empty.Count);
    }

    [Fact]
    public void Checked_values_enumerate_in_order()
    {
        var seen = new List<bool>();
        foreach (var flag in new ValueListsBufferedMessage(Values).Flags)
        {
            seen.Add(flag);
        }

        Assert.Equal([true, false, true], seen);
    }

    [Fact]
    public void Nullable_values_enumerate_in_order()
    {
        var seen = new List<int?>();
        foreach (var value in new NullableListsBufferedMessage(Nullables).Ints)
        {
            seen.Add(value);
        }

        Assert.Equal([7, null, 9], seen);
    }

    [Fact]
    public void Strings_enumerate_in_order()
    {
        var seen = new List<string?>();
        foreach (var text in new SlotListsBufferedMessage(Slots).Texts)
        {
            seen.Add(text);
        }

        Assert.Equal(["a", null, "a longer one"], seen);
    }

    [Fact]
    public void Nested_lists_enumerate_in_order()
    {
        var seen = new List<int>();
        foreach (var row in new SlotListsBufferedMessage(Slots).Matrix)
        {
            foreach (var value in row)
            {
                seen.Add(value);
            }
        }

        Assert.Equal([1, 2, 3], seen);
    }

    [Fact]
    public void Binaries_of_a_list_are_spans()
    {
        var blobs = new SlotListsBufferedMessage(Slots).Blobs;
        ReadOnlySpan<byte> first = blobs[0];
        Assert.Equal([1], first.ToArray());
        Assert.True(blobs[1].IsNull);
    }

    [Fact]
    public void Messages_enumerate_in_order_and_null_ones_say_so()
    {
        var seen = new List<int>();
        foreach (var element in new MessageListsBufferedMessage(Messages).Some)
        {
            seen.Add(element.IsNull ? -1 : element.Number);
        }

        Assert.Equal([-1, 3], seen);
    }

    private static void AssertRefused(Action read) => Assert.Throws<ArgumentOutOfRangeException>(read);

    private static void AssertGuarded<TList, TElement>(BufferedListEnumerator<TList, TElement> elements, int count)
        where TList : IBufferedList<TList, TElement>, allows ref struct
        where TElement : allows ref struct
    {
        AssertNone(elements);
        for (var i = 0; i < count; i++)
        {
            Assert.True(elements.MoveNext());
            _ = elements.Current;
        }

        Assert.False(elements.MoveNext());
        AssertNone(elements);
        Assert.False(elements.MoveNext());
        AssertNone(elements);
    }

    private static void AssertNone<TList, TElement>(BufferedListEnumerator<TList, TElement> elements)
        where TList : IBufferedList<TList, TElement>, allows ref struct
        where TElement : allows ref struct
    {
        try
        {
            _ = elements.Current;
            Assert.Fail("An enumerator that is at no element gave one.");
        }
        catch (IndexOutOfRangeException)
        {
        }
    }
}
