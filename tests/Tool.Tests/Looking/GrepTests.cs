namespace BufferedMessages.Tool.Tests;

public class GrepTests
{
    [Theory]
    [InlineData("Id == 4", "4")]
    [InlineData("Id > 4 and Id <= 6", "5,6")]
    [InlineData("Lines[].Article == \"Lamp\" and Id > 3", "6")]
    [InlineData("Lines[0].Quantity == 2 or Id == 1", "1,2")]
    [InlineData("Note == null", "2,4,6")]
    [InlineData("not Note", "2,4,6")]
    [InlineData("not (Id < 5 or Id == 6)", "5")]
    [InlineData("Note contains '5'", "5")]
    [InlineData("Note contains null or Id == 2", "2")]
    [InlineData("3 <= Id and 3.0 >= Id", "3")]
    [InlineData("Id == \"3\"", "3")]
    [InlineData("Note >= \"note 3\"", "3,5")]
    [InlineData("Lines[].Article != 'Bulb'", "3,6")]
    [InlineData("Id>=1e0 and Id<2", "1")]
    public async Task A_condition_finds_its_messages(string condition, string ids)
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 6);

        var run = await ToolRun.InProcessAsync("grep", folder.PathOf("orders"), condition, "--format", "{Id}");

        Assert.Equal((0, ""), (run.Code, run.Errors));
        Assert.Equal(ids, string.Join(',', run.Lines));
    }

    [Fact]
    public async Task Letters_of_all_scripts_are_shown_and_found_as_they_are()
    {
        const string Name = "\U0001F4E6 山田\u3000太郎";
        using var folder = new TemporaryFolder();
        using (var queue = MessageQueue.Open(folder.PathOf("orders")))
        using (var producer = queue.OpenProducer<Shop.Order>(new ProducerOptions()))
        {
            producer.Publish(new Shop.Order(1, Name + "\\u0041 \"\n\u0001", []), new MessageProperties { Reason = Name });
        }

        var tail = await ToolRun.InProcessAsync("tail", folder.PathOf("orders"), "--properties");
        var explained = await ToolRun.InProcessAsync("tail", folder.PathOf("orders"), "--explain");
        var count = await ToolRun.InProcessAsync("grep", folder.PathOf("orders"), "-i", Name, "--count");

        Assert.Contains($"\"Note\":\"{Name}\\\\u0041 \\\"\\n\\u0001\"", tail.Output, StringComparison.Ordinal);
        Assert.Contains($"{{\"reason\":\"{Name}\"}}", tail.Output, StringComparison.Ordinal);
        Assert.Contains($"Note: \"{Name}\\\\u0041 \\\"\\n\\u0001\"\n", explained.Output, StringComparison.Ordinal);
        Assert.Equal("1\n", count.Output);
    }

    [Theory]
    [InlineData("Value > 0", "1")]
    [InlineData("Value == 0", "2")]
    [InlineData("Value == 1e-40", "1")]
    [InlineData("Value < 2e-40 and Value != 0", "1")]
    public async Task Fractions_that_are_too_small_for_a_decimal_are_compared_too(string condition, string ids)
    {
        using var folder = new TemporaryFolder();
        using (var queue = MessageQueue.Open(folder.PathOf("measures")))
        using (var producer = queue.OpenProducer<Shop.Measured>())
        {
            producer.Publish(new Shop.Measured(1, 1e-40));
            producer.Publish(new Shop.Measured(2, 0));
        }

        var run = await ToolRun.InProcessAsync("grep", folder.PathOf("measures"), condition, "--format", "{Id}");

        Assert.Equal((0, ""), (run.Code, run.Errors));
        Assert.Equal(ids, string.Join(',', run.Lines));
    }

    [Theory]
    [InlineData("IsClosed == true", "true")]
    [InlineData("IsClosed != true", "false")]
    [InlineData("not IsClosed", "false")]
    [InlineData("Total == 340282366920938463463374607431768211455", "true")]
    [InlineData("Total < 340282366920938463463374607431768211455", "false")]
    public async Task Booleans_and_the_largest_integers_are_compared_exactly(string condition, string isClosed)
    {
        using var folder = new TemporaryFolder();
        using (var queue = MessageQueue.Open(folder.PathOf("counts")))
        using (var producer = queue.OpenProducer<Shop.Counted>())
        {
            producer.Publish(new Shop.Counted(UInt128.MaxValue, true));
            producer.Publish(new Shop.Counted(UInt128.MaxValue - 1u, false));
        }

        var run = await ToolRun.InProcessAsync("grep", folder.PathOf("counts"), condition, "--format", "{IsClosed}");

        Assert.Equal((0, ""), (run.Code, run.Errors));
        Assert.Equal(isClosed, string.Join(',', run.Lines));
    }

    [Theory]
    [InlineData("Note", "3")]
    [InlineData("not Note", "1,2")]
    [InlineData("Totals", "3")]
    [InlineData("not Totals", "1,2")]
    public async Task A_member_alone_is_not_there_if_it_is_null_or_empty(string condition, string ids)
    {
        using var folder = new TemporaryFolder();
        using (var queue = MessageQueue.Open(folder.PathOf("tags")))
        using (var producer = queue.OpenProducer<Shop.Tagged>())
        {
            producer.Publish(new Shop.Tagged(1, Note: null, Totals: null));
            producer.Publish(new Shop.Tagged(2, "", []));
            producer.Publish(new Shop.Tagged(3, "rush", new Dictionary<string, int> { ["net"] = 0 }));
        }

        var run = await ToolRun.InProcessAsync("grep", folder.PathOf("tags"), condition, "--format", "{Id}");

        Assert.Equal((0, ""), (run.Code, run.Errors));
        Assert.Equal(ids, string.Join(',', run.Lines));
    }

    [Theory]
    [InlineData("Größe == 2")]
    [InlineData("नाम == 'two'")]
    [InlineData("Ⅷ > 8 and not (नाम == 'one')")]
    public async Task A_member_may_have_a_name_in_any_script(string condition)
    {
        using var folder = new TemporaryFolder();
        using (var queue = MessageQueue.Open(folder.PathOf("words")))
        using (var producer = queue.OpenProducer<Shop.Translated>())
        {
            producer.Publish(new Shop.Translated(1, "one", 8));
            producer.Publish(new Shop.Translated(2, "two", 9));
        }

        var run = await ToolRun.InProcessAsync("grep", folder.PathOf("words"), condition, "--format", "{Größe} {नाम} {Ⅷ}");

        Assert.Equal((0, "2 two 9\n", ""), (run.Code, run.Output, run.Errors));
    }

    [Theory]
    [InlineData("Id = 4", 3, "==")]
    [InlineData("Idd == 4", 0, "Did you mean 'Id'?")]
    [InlineData("Id == 4 and", 11, "missing")]
    [InlineData("(Id == 4", 0, "parenthesis")]
    [InlineData("Note == \"x", 8, "no closing quote")]
    [InlineData("Lines[x].Article == 1", 5, "[0]")]
    [InlineData("5 > 4 Id", 6, "expected")]
    [InlineData("5", 0, "constant")]
    [InlineData("Id == 5x", 6, "not a number")]
    public async Task A_fault_is_shown_with_a_caret_at_its_place(string condition, int caret, string fault)
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 1);

        var run = await ToolRun.InProcessAsync("grep", folder.PathOf("orders"), condition);

        Assert.Equal(2, run.Code);
        Assert.StartsWith($"{condition}\n{new string(' ', caret)}^\n", run.Errors, StringComparison.Ordinal);
        Assert.Contains(fault, run.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_regular_expression_looks_at_the_JSON()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 6);

        var run = await ToolRun.InProcessAsync("grep", folder.PathOf("orders"), "-i", "NOTE [35]\"", "--count");

        Assert.Equal((0, "2\n"), (run.Code, run.Output));
    }

    [Fact]
    public async Task Nothing_found_ends_with_1()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 2);

        var run = await ToolRun.InProcessAsync("grep", folder.PathOf("orders"), "Id == 3");

        Assert.Equal((1, "", ""), (run.Code, run.Output, run.Errors));
    }

    [Fact]
    public async Task The_first_one_ends_the_search()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 6);

        var run = await ToolRun.InProcessAsync("grep", folder.PathOf("orders"), "Id > 2", "--first", "--format", "{Id}");

        Assert.Equal("3\n", run.Output);
    }

    [Fact]
    public async Task A_message_that_a_condition_cannot_read_ends_with_1_also_if_others_satisfy_it()
    {
        using var folder = new TemporaryFolder();
        using (var queue = MessageQueue.Open(folder.PathOf("orders")))
        using (var producer = queue.OpenProducer(QueueOfOrders.Schema<Shop.Order>(), verify: false))
        {
            producer.Publish(new byte[40]);
            producer.Publish(new Shop.Order(2, Note: null, []).ToMessageArray());
        }

        var run = await ToolRun.InProcessAsync("grep", folder.PathOf("orders"), "Id == 2", "--format", "{Id}");
        var count = await ToolRun.InProcessAsync("grep", folder.PathOf("orders"), "Id == 2", "--count");

        Assert.Equal((1, "2\n", "1 message could not be compared: not as the schema says.\n"), (run.Code, run.Output, run.Errors));
        Assert.Equal((1, "1\n"), (count.Code, count.Output));
    }

    [Fact]
    public async Task A_search_begins_where_from_says_and_its_count_is_an_object_for_programs()
    {
        using var folder = new TemporaryFolder();
        var positions = QueueOfOrders.Create(folder.PathOf("orders"), 6);

        var some = await ToolRun.InProcessAsync("grep", folder.PathOf("orders"), "Id != 5", "--from", $"{positions[3]}", "--count", "--json");
        var none = await ToolRun.InProcessAsync("grep", folder.PathOf("orders"), "Id != 5", "--from", "latest", "--count", "--json");

        Assert.Equal((0, "{\"count\":2}\n", ""), (some.Code, some.Output, some.Errors));
        Assert.Equal((1, "{\"count\":0}\n", ""), (none.Code, none.Output, none.Errors));
    }
}
