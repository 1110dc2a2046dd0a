namespace BufferedMessages.Runtime.Tests.Wire;

public class AllocationTests
{
    private const int WarmUps = 200;
    private const int Rounds = 1000;

    private static readonly Outer Nested = new()
    {
        Child = new Inner { Text = "a text of some length", Number = 1 },
        After = "naïve 😀",
        Second = new Inner { Text = "short" },
    };

    private static readonly Texts Strings = new() { Empty = "", Seven = "abcdefg", Eight = "abcdefgh", Umlauts = "Grüße aus Zürich", Emoji = "naïve 😀" };
    private static readonly MessageLists Lists = new() { All = [new Inner { Text = "a" }, new Inner()], Some = [null, new Inner()], Grid = [[new Inner { Number = 4 }]] };
    private static readonly SlotLists Slots = new() { Texts = ["", null, "12345678"], Blobs = [[1], null], Matrix = [[1, 2], [], null], Nested = [["a"]] };
    private static readonly ValueLists Values = new() { Shorts = [1, 2], Flags = [true], Prices = [1m], Ids = [Guid.Empty], Bytes = [1] };
    private static readonly MoreValueLists MoreValues = new() { Structs = [default], Times = [default], Days = [default], Offsets = [default], Clock = [default], Enums = [Small.One] };
    private static readonly NullableLists Maybes = new() { Ints = [1, null], Decimals = [null, 1m], Structs = [default(Padded), null] };
    private static readonly Nullables Bits = new() { N0 = 1, N5 = 2, N10 = default(Padded) };
    private static readonly Dictionary<string, int> Numbers = Enumerable.Range(0, 20).ToDictionary(static i => $"the number {i}");
    private static readonly NestedDictionaries Tallies = new() { Tallies = new() { [true] = new() { ['x'] = new Tally { Number = 5 } } } };
    private static readonly LargeSet Names = new() { Names = Numbers.Keys.ToHashSet() };
    private static readonly SmallDictionaries Dictionaries = new() { Counts = Numbers, Empty = [], Ports = [1, 2] };
    private static readonly QueuesOfKinds Sequences = new()
    {
        Numbers = new Queue<int>([1, 2]),
        Prices = new Stack<decimal>([1m]),
        Maybes = new LinkedList<int?>([1, null]),
        Structs = [default],
        Messages = [new Inner { Text = "a" }],
        Nested = new Stack<Queue<string>>([new Queue<string>(["a"])]),
        ByName = new() { ["a"] = new Stack<int>([1, 2]) },
    };

    private static readonly Basket Tuples = new()
    {
        Best = ("a longer key", 1m),
        Lines = [("the name of a line", 1), ("short", 2)],
        Offers = [null, (new Inner { Number = 3 }, null)],
        Prices = new() { ["a"] = ([1, 2], (0.5, 1.5)) },
        Top = new("top", 4),
    };

    private static readonly Blobs Binaries = new() { Empty = [], Three = [1, 2, 3], Nine = new byte[9], Memory = new byte[8] };

    [Fact]
    public void Calculating_sizes_allocates_nothing() => AssertAllocatesNothing(() =>
        Nested.CalculateSize() + Strings.CalculateSize() + Lists.CalculateSize() + Slots.CalculateSize() + Values.CalculateSize()
        + MoreValues.CalculateSize() + Maybes.CalculateSize() + Bits.CalculateSize() + Binaries.CalculateSize() + new Pair().CalculateSize()
        + Tallies.CalculateSize() + Names.CalculateSize() + Dictionaries.CalculateSize() + Sequences.CalculateSize());

    [Fact]
    public void Writing_allocates_nothing()
    {
        var destination = new byte[4096];
        AssertAllocatesNothing(() =>
            Nested.Write(destination) + Strings.Write(destination) + Lists.Write(destination) + Slots.Write(destination) + Values.Write(destination)
            + MoreValues.Write(destination) + Maybes.Write(destination) + Bits.Write(destination) + Binaries.Write(destination) + new Pair().Write(destination)
            + Tallies.Write(destination) + Names.Write(destination) + Dictionaries.Write(destination) + Sequences.Write(destination));
    }

    [Fact]
    public void Reading_values_allocates_nothing()
    {
        var nullables = Bits.ToMessageArray();
        var binaries = Binaries.ToMessageArray();
        var moments = new Moments { Price = 1m }.ToMessageArray();
        AssertAllocatesNothing(() =>
        {
            var bits = new NullablesBufferedMessage(nullables);
            var times = new MomentsBufferedMessage(moments);
            var bytes = new BlobsBufferedMessage(binaries);
            return bits.N0.GetValueOrDefault() + (bits.N1.HasValue ? 1 : 0) + (int)bits.N5.GetValueOrDefault() + bits.N10.GetValueOrDefault().B
                + (int)times.Price + times.Utc.Year + times.Offset.Year + times.Day.Day + times.Time.Hour + times.Id.Version
                + bytes.Nine.Length + bytes.Memory[0] + (bytes.Null.IsNull ? 1 : 0);
        });
    }

    [Fact]
    public void Reading_nested_messages_and_lists_allocates_nothing()
    {
        var nested = Nested.ToMessageArray();
        var lists = Lists.ToMessageArray();
        var slots = Slots.ToMessageArray();
        AssertAllocatesNothing(() =>
        {
            var sum = new OuterBufferedMessage(nested).Child.Number + BufferedMessage.Create<OuterBufferedMessage>(nested).Second.Text.Length;
            foreach (var element in new MessageListsBufferedMessage(lists).Some)
            {
                sum += element.IsNull ? 1 : element.Number;
            }

            foreach (var row in new MessageListsBufferedMessage(lists).Grid)
            {
                sum += row[0].Number;
            }

            var view = new SlotListsBufferedMessage(slots);
            foreach (var text in view.Texts)
            {
                sum += text.Length;
            }

            foreach (var row in view.Matrix)
            {
                foreach (var value in row)
                {
                    sum += value;
                }
            }

            return sum + view.Blobs[0].Span.Length + view.Nested[0][0].Length;
        });
    }

    [Fact]
    public void Reading_lists_of_values_allocates_nothing()
    {
        var values = Values.ToMessageArray();
        var moreValues = MoreValues.ToMessageArray();
        var maybes = Maybes.ToMessageArray();
        AssertAllocatesNothing(() =>
        {
            var sum = 0;
            var view = new ValueListsBufferedMessage(values);
            foreach (var number in view.Shorts)
            {
                sum += number;
            }

            foreach (var flag in view.Flags)
            {
                sum += flag ? 1 : 0;
            }

            foreach (var number in new NullableListsBufferedMessage(maybes).Ints)
            {
                sum += number.GetValueOrDefault();
            }

            var more = new MoreValueListsBufferedMessage(moreValues);
            return sum + (int)view.Prices[0] + more.Structs[0].B + more.Times[0].Year + more.Offsets[0].Year + more.Days[0].Day + more.Clock[0].Hour + (int)more.Enums[0];
        });
    }

    [Fact]
    public void Looking_up_and_enumerating_dictionaries_allocates_nothing()
    {
        var dictionaries = Dictionaries.ToMessageArray();
        var tallies = Tallies.ToMessageArray();
        var names = Names.ToMessageArray();
        var longKey = new string('k', 2000);
        AssertAllocatesNothing(() =>
        {
            var view = new SmallDictionariesBufferedMessage(dictionaries);
            var sum = view.Counts["the number 7"] + view.Counts["the number 8"u8] + view.Counts["the number 9".AsSpan()];
            sum += view.Counts.TryGetValue(longKey, out _) || view.Ports.Contains(7) || new LargeSetBufferedMessage(names).Names.Contains("x") ? 1 : 0;
            foreach (var (key, value) in view.Counts)
            {
                sum += key.Length + value;
            }

            foreach (var key in view.Counts.Keys)
            {
                sum += key.Length;
            }

            return sum + view.Counts.Values[0] + new NestedDictionariesBufferedMessage(tallies).Tallies[true]['x'].Number;
        });
    }

    [Fact]
    public void Writing_tuples_allocates_nothing()
    {
        var destination = new byte[4096];
        AssertAllocatesNothing(() => Tuples.CalculateSize() + Tuples.Write(destination));
    }

    [Fact]
    public void Verifying_by_type_and_by_schema_allocates_nothing()
    {
        byte[][] messages = [Nested.ToMessageArray(), Strings.ToMessageArray(), Lists.ToMessageArray(), Slots.ToMessageArray(), MoreValues.ToMessageArray(), Maybes.ToMessageArray(), Bits.ToMessageArray(), Dictionaries.ToMessageArray(), Tallies.ToMessageArray(), Names.ToMessageArray()];
        AssertAllocatesNothing(() =>
            Verified<OuterBufferedMessage>(messages[0]) + Verified<TextsBufferedMessage>(messages[1]) + Verified<MessageListsBufferedMessage>(messages[2])
            + Verified<SlotListsBufferedMessage>(messages[3]) + Verified<MoreValueListsBufferedMessage>(messages[4])
            + Verified<NullableListsBufferedMessage>(messages[5]) + Verified<NullablesBufferedMessage>(messages[6])
            + Verified<SmallDictionariesBufferedMessage>(messages[7]) + Verified<NestedDictionariesBufferedMessage>(messages[8]) + Verified<LargeSetBufferedMessage>(messages[9]));

        static int Verified<TView>(byte[] message)
            where TView : IBufferedMessage<TView>, allows ref struct
            => BufferedMessage.Verify<TView>(message, out _, exact: true) && BufferedMessage.Verify(message, TView.Schema, out _, exact: true) ? 1 : 0;
    }

    [Fact]
    public void Deconstructing_tuples_allocates_nothing()
    {
        var tuples = Tuples.ToMessageArray();
        AssertAllocatesNothing(() =>
        {
            var view = new BasketBufferedMessage(tuples);
            var (sku, price) = view.Best;
            var sum = sku.Length + (int)price + view.Top.Key.Length + view.Top.Value;
            foreach (var (name, count) in view.Lines)
            {
                sum += name.Length + count;
            }

            foreach (var (key, (stock, (low, high))) in view.Prices)
            {
                sum += key.Length + stock[0] + (int)(low + high);
            }

            return sum + view.Offers[1].Item.Number;
        });
    }

    [Fact]
    public void Comparing_strings_allocates_nothing()
    {
        var strings = Strings.ToMessageArray();
        AssertAllocatesNothing(() =>
        {
            var view = new TextsBufferedMessage(strings);
            Span<char> chars = stackalloc char[32];
            return (view.Eight == "abcdefgh" ? 1 : 0)
                + (view.Eight == "abcdefgh"u8 ? 1 : 0)
                + (view.Eight.Equals("abcdefgh".AsSpan()) ? 1 : 0)
                + (view.Umlauts == "Grüße aus Zürich" ? 1 : 0)
                + (view.Emoji != "naïve 😁" ? 1 : 0)
                + (view.Null == (string?)null ? 1 : 0)
                + (view.Seven == view.Seven ? 1 : 0)
                + (view.Emoji.TryCopyTo(chars, out var written) ? written : 0)
                + (view.Emoji.GetHashCode() & 1);
        });
    }

    internal static void AssertAllocatesNothing(Func<int> action)
    {
        var sum = 0;
        for (var i = 0; i < WarmUps; i++)
        {
            sum += action();
        }

        Allocations.AssertNone(() =>
        {
            for (var i = 0; i < Rounds; i++)
            {
                sum += action();
            }
        });
        Assert.NotEqual(0, sum);
    }
}

/// <summary>A source without a place on the heap.</summary>
[BufferedMessageSource]
internal readonly partial record struct Pair(int First, long Second);
