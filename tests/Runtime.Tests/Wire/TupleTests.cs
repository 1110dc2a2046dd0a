namespace BufferedMessages.Runtime.Tests.Wire;

public class TupleTests
{
    public static TheoryData<int> Counts => [-1, 0, 1, 2, 30];

    [Fact]
    public void A_view_gives_the_items_by_their_names()
    {
        var view = View(new Basket { Size = (3, 4), Best = ("abc", 1.5m) });

        Assert.Equal((3, 4), (view.Size.Left, view.Size.Item2));
        Assert.Equal("abc", view.Best.Sku.ToString());
        Assert.Equal(1.5m, view.Best.Price);
    }

    [Fact]
    public void A_view_is_deconstructed()
    {
        var (sku, price) = View(new Basket { Best = ("abc", 1.5m) }).Best;

        Assert.True(sku == "abc" && price == 1.5m);
    }

    [Fact]
    public void A_view_gives_the_tuple_and_the_pair()
    {
        var view = View(new Basket { Best = ("abc", 1.5m), Top = new("top", 5) });

        Assert.Equal(("abc", 1.5m), view.Best.ToTuple());
        Assert.Equal(KeyValuePair.Create("top", 5), view.Top.ToKeyValuePair());
    }

    [Fact]
    public void A_tuple_that_is_null_has_no_items()
    {
        var view = View(new Basket());

        Assert.True(view.Best.IsNull && view.Best.Sku.IsNull);
        Assert.Throws<InvalidOperationException>(() => View(new Basket()).Best.ToTuple());
        Assert.Null(view.ToBasket().Best);
    }

    [Fact]
    public void A_default_tuple_is_not_null()
    {
        var view = View(new Basket { Best = default((string?, decimal)), Size = default });

        Assert.False(view.Best.IsNull);
        Assert.Equal((null, 0m), view.ToBasket().Best);
        Assert.Equal((0, 0), view.ToBasket().Size);
    }

    [Theory]
    [MemberData(nameof(Counts))]
    public void A_list_of_tuples_comes_back(int count)
    {
        var lines = Elements(count, static i => (Name: $"the line {i}", Count: i))?.ToList();
        var view = View(new Basket { Lines = lines });

        Assert.Equal((lines is null, Math.Max(0, count)), (view.Lines.IsNull, view.Lines.Count));
        Assert.Equal(lines, view.ToBasket().Lines);
        var next = 0;
        foreach (var (name, number) in view.Lines)
        {
            Assert.Equal(lines![next++], (name.ToString(), number));
        }

        Assert.Equal(Math.Max(0, count), next);
    }

    [Theory]
    [MemberData(nameof(Counts))]
    public void A_list_of_tuples_that_may_be_null_comes_back(int count)
    {
        var offers = Elements<(Inner?, DateOnly?)?>(count, static i => i % 3 == 0 ? null : (i % 3 == 1 ? null : new Inner { Number = i }, i % 2 == 0 ? null : DateOnly.FromDayNumber(i)));
        var view = View(new Basket { Offers = offers });
        var copy = view.ToBasket().Offers;

        Assert.Equal(offers?.Select(static offer => (offer is null, offer?.Item1?.Number, offer?.Item2)), copy?.Select(static offer => (offer is null, offer?.Item1?.Number, offer?.Item2)));
        for (var i = 0; i < count; i++)
        {
            Assert.Equal((offers![i] is null, offers[i]?.Item1?.Number ?? 0, offers[i]?.Item2), (view.Offers[i].IsNull, view.Offers[i].Item.Number, view.Offers[i].Until));
        }
    }

    [Theory]
    [MemberData(nameof(Counts))]
    public void A_dictionary_of_tuples_comes_back(int count)
    {
        var prices = Elements(count, static i => i)?.ToDictionary(static i => $"the key {i}", static i => ((int[]?)[i, i + 1], (i - 0.5, i + 0.5)));
        var view = View(new Basket { Prices = prices });

        Assert.Equal(prices is null, view.Prices.IsNull);
        Assert.Equal(Flat(prices), Flat(view.ToBasket().Prices));
        var sum = 0;
        foreach (var (key, (stock, (low, high))) in view.Prices)
        {
            var expected = prices![key.ToString()!];
            Assert.Equal(expected.Item1!, stock.ToArray());
            Assert.Equal(expected.Item2, (low, high));
            sum++;
        }

        Assert.Equal(Math.Max(0, count), sum);
    }

    [Theory]
    [MemberData(nameof(Counts))]
    public void A_queue_of_keys_with_their_values_comes_back(int count)
    {
        var pairs = Elements(count, static i => new KeyValuePair<int, Inner?>(i, i % 2 == 0 ? null : new Inner { Number = i }));
        var view = View(new Basket { Ranking = pairs is null ? null : new Queue<KeyValuePair<int, Inner?>>(pairs) });

        Assert.Equal(pairs?.Select(static pair => (pair.Key, pair.Value?.Number)), view.ToBasket().Ranking?.Select(static pair => (pair.Key, pair.Value?.Number)));
        var next = 0;
        foreach (var (key, value) in view.Ranking)
        {
            Assert.Equal((pairs![next].Key, pairs[next].Value is null), (key, value.IsNull));
            next++;
        }

        Assert.Equal(Math.Max(0, count), next);
    }

    [Fact]
    public void A_tuple_of_more_than_seven_items_comes_back()
    {
        var source = new Basket { Long = (1, 2, 3, 4, 5, 6, 7, "eight", 9) };
        var view = View(source);

        Assert.Equal(source.Long, view.ToBasket().Long);
        Assert.Equal(("eight", 9), (view.Long.H.ToString(), view.Long.I));
    }

    [Fact]
    public void A_tuple_has_the_bytes_of_a_message_with_the_same_members()
    {
        var tuples = new WithTuple { Value = (1, "a longer name", 2), Values = [(3, null, 4), (5, "short", 6)] };
        var records = new WithRecord { Value = new(1, "a longer name", 2), Values = [new(3, null, 4), new(5, "short", 6)] };

        Assert.Equal(Convert.ToHexString(records.ToMessageArray()), Convert.ToHexString(tuples.ToMessageArray()));
    }

    [Fact]
    public void A_tuple_can_be_replaced_by_a_source_with_the_same_members()
    {
        SchemaOf<WithTuple>().RequireCompatible(SchemaOf<WithRecord>());
        SchemaOf<WithRecord>().RequireCompatible(SchemaOf<WithTuple>());
    }

    [Fact]
    public void A_tuple_that_grows_stays_compatible()
    {
        SchemaOf<WithTuple>().RequireCompatible(SchemaOf<WithShortTuple>());
        SchemaOf<WithShortTuple>().RequireCompatible(SchemaOf<WithTuple>());
    }

    [Fact]
    public void An_item_of_another_type_is_refused_with_both_lines()
    {
        var mismatch = Assert.Throws<SchemaMismatchException>(() => SchemaOf<WithTuple>().RequireCompatible(SchemaOf<WithOtherTuple>()));

        Assert.Equal(("2 i64 Number", "2 i32 Number"), (mismatch.Line, mismatch.OtherLine));
    }

    [Fact]
    public void An_older_program_reads_the_first_items_of_a_tuple_that_grew()
    {
        var view = new WithShortTupleBufferedMessage(new WithTuple { Value = (1, "one", 2), Values = [(3, "three", 4)] }.ToMessageArray());

        Assert.Equal<(byte, string?)>((1, "one"), view.ToWithShortTuple().Value);
        Assert.Equal<(byte, string?)>([(3, "three")], view.ToWithShortTuple().Values);
        Assert.Equal<(byte, string?)>((3, "three"), view.Values[0].ToTuple());
    }

    [Fact]
    public void A_newer_program_reads_zero_for_the_items_that_an_older_one_did_not_have()
    {
        var view = new WithTupleBufferedMessage(new WithShortTuple { Value = (1, "one"), Values = [(3, "three")] }.ToMessageArray());

        Assert.Equal<(byte, string?, long)>((1, "one", 0), view.ToWithTuple().Value);
        Assert.Equal<(byte, string?, long)>((3, "three", 0), view.ToWithTuple().Values![0]);
        Assert.Equal(0, view.Values[0].Number);
    }

    [Fact]
    public void The_initializer_stays_where_the_message_has_no_tuple() =>
        Assert.Equal((7, 8), new BasketBufferedMessage(Convert.FromHexString("0100010010000000" + "0000000000000000")).ToBasket().Size);

    [Fact]
    public void The_view_of_a_tuple_has_the_schema_of_its_part() =>
        Assert.Equal(
            "message BufferedMessages.Runtime.Tests.Wire.Basket.4\n0 list(i32) Stock\n1 message(BufferedMessages.Runtime.Tests.Wire.Basket.4.1) Range\n"
            + "message BufferedMessages.Runtime.Tests.Wire.Basket.4.1\n0 f64 Low\n1 f64 High\n",
            SchemaOfView<BasketBufferedMessage.PricesTuple>().Text);

    private static Dictionary<string, (int, int, double, double)>? Flat(Dictionary<string, (int[]? Stock, (double Low, double High) Range)>? prices) =>
        prices?.ToDictionary(static price => price.Key, static price => (price.Value.Stock![0], price.Value.Stock[1], price.Value.Range.Low, price.Value.Range.High));

    [Fact]
    public void A_tuple_reads_as_JSON_with_the_names_of_its_items() =>
        Assert.Equal("{\"Left\":3,\"Item2\":4}", View(new Basket { Size = (3, 4) }).Size.ToString());

    [Fact]
    public void Tuples_are_compared_by_content()
    {
        var view = View(new Basket { Lines = [("a name", 1), ("a name", 1), ("a name", 2)] });

        Assert.True(view.Lines[0].ContentEquals(view.Lines[1]));
        Assert.False(view.Lines[0].ContentEquals(view.Lines[2]));
    }

    [Fact]
    public void A_fault_in_a_tuple_is_found_by_its_path()
    {
        var message = new Basket { Prices = new() { ["key"] = ([1, 2], (0.5, 1.5)) }, Lines = [("the name", 1)] }.ToMessageArray();
        Assert.True(BufferedMessage.Verify<BasketBufferedMessage>(message, out _, exact: true));

        message[message.AsSpan().IndexOf("the name"u8)] = 0xFF;

        Assert.False(BufferedMessage.Verify<BasketBufferedMessage>(message, out var error));
        Assert.Equal("Lines[0].Name", error.Path);
    }

    [Fact]
    public void A_tuple_is_explained_by_the_schema_text() =>
        Assert.Contains(
            " Prices.Values[0].Range.High: 1.5\n",
            BufferedMessage.Explain(new Basket { Prices = new() { ["key"] = ([1, 2], (0.5, 1.5)) } }.ToMessageArray(), SchemaOf<Basket>()),
            StringComparison.Ordinal);

    [Fact]
    public void A_writer_in_place_appends_tuples()
    {
        var destination = new byte[500];
        using var builder = new MessageBuilder<WithTupleBufferedMessageWriter>(destination);
        builder.Message.WriteValue((1, "one", 2));
        builder.Message.WriteValues([(3, "three", 4)]);

        var expected = new WithTuple { Value = (1, "one", 2), Values = [(3, "three", 4)] };
        Assert.Equal(expected.ToMessageArray(), destination[..builder.Finish()]);
    }

    private static BasketBufferedMessage View(Basket source) => new(source.ToMessageArray());

    private static T[]? Elements<T>(int count, Func<int, T> make) => count < 0 ? null : [.. Enumerable.Range(0, count).Select(make)];

    private static MessageSchema SchemaOf<TSource>()
        where TSource : IBufferedMessageSource<TSource>
        => TSource.Schema;

    private static MessageSchema SchemaOfView<TView>()
        where TView : IBufferedMessage<TView>, allows ref struct
        => TView.Schema;
}
