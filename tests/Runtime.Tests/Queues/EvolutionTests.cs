using BufferedMessages.Wire;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>Which schema versions may open a queue that others have opened.</summary>
public sealed class EvolutionTests : IDisposable
{
    private const int TextBytesOffset = 68;

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void A_third_version_is_compared_with_the_second_also_when_the_first_made_the_queue()
    {
        using var queue = _directory.Open();
        queue.OpenConsumer<First>("1").Dispose();
        queue.OpenConsumer<Second>("2").Dispose();

        var exception = Assert.Throws<SchemaMismatchException>(() => queue.OpenConsumer<Contrary>("3"));

        Assert.Contains("'1 f64 Price'", exception.Message, StringComparison.Ordinal);
        Assert.Contains("'1 i32 Quantity'", exception.Message, StringComparison.Ordinal);
        queue.OpenConsumer<Third>("3").Dispose();
        Assert.Throws<SchemaMismatchException>(() => queue.OpenConsumer<ContraryToThird>("4"));
    }

    [Fact]
    public void An_older_version_still_opens_the_queue_after_newer_ones_and_when_it_is_opened_again()
    {
        using (var queue = _directory.Open())
        {
            queue.OpenConsumer<First>("1").Dispose();
            queue.OpenConsumer<Third>("3").Dispose();
        }

        using var again = _directory.Open();
        again.OpenConsumer<First>("1").Dispose();
        again.OpenConsumer<Second>("2").Dispose();
        again.OpenConsumer<Third>("3").Dispose();
        Assert.Throws<SchemaMismatchException>(() => again.OpenConsumer<Contrary>("4"));
    }

    [Fact]
    public void A_version_that_adds_nothing_is_not_stored_and_no_version_is_stored_twice()
    {
        using var queue = _directory.Open();
        queue.OpenConsumer<Third>("3").Dispose();
        var length = StoredTextBytes();
        queue.OpenConsumer<First>("1").Dispose();
        queue.OpenConsumer<Second>("2").Dispose();
        queue.OpenConsumer<Renamed>("renamed").Dispose();
        Assert.Equal(length, StoredTextBytes());

        queue.OpenConsumer<Nested>("nested").Dispose();
        var longer = StoredTextBytes();
        Assert.True(longer > length);
        queue.OpenConsumer<Third>("3").Dispose();
        queue.OpenConsumer<Nested>("nested").Dispose();
        Assert.Equal(longer, StoredTextBytes());
    }

    [Fact]
    public void A_version_that_is_refused_is_not_stored()
    {
        using var queue = _directory.Open();
        queue.OpenConsumer<Second>("2").Dispose();
        var before = File.ReadAllBytes(_directory.ControlFile);

        Assert.Throws<SchemaMismatchException>(() => queue.OpenConsumer<Contrary>("3"));

        Assert.Equal(before[4096..], Masked(File.ReadAllBytes(_directory.ControlFile)[4096..], before[4096..]));
    }

    [Fact]
    public void A_participant_that_is_refused_for_another_reason_leaves_neither_content_nor_version()
    {
        using var queue = _directory.OpenSingle();
        Assert.Throws<ArgumentOutOfRangeException>(() => queue.OpenConsumer<ValueMessage<int>>("values", new() { Start = QueueStart.At(48) }));
        using var owner = queue.OpenConsumer<First>("1");

        Assert.Throws<QueueInUseException>(() => queue.OpenConsumer<Second>("1"));

        Assert.Single(queue.Schemas);
        queue.OpenConsumer<Contrary>("2").Dispose();
    }

    [Fact]
    public void A_version_whose_text_a_dying_process_had_not_finished_is_stored_again()
    {
        using var queue = _directory.Open();
        queue.OpenConsumer<First>("1").Dispose();
        var length = StoredTextBytes();
        queue.OpenConsumer<Second>("2").Dispose();

        // The length is the last word that is written but for the fingerprint, so the process died before both.
        QueueDirectory.Damage(_directory.ControlFile, TextBytesOffset, BitConverter.GetBytes(length));
        QueueDirectory.Damage(_directory.ControlFile, TextBytesOffset + 4, BitConverter.GetBytes(First.Schema.Fingerprint));

        queue.OpenConsumer<Second>("2").Dispose();
        Assert.Throws<SchemaMismatchException>(() => queue.OpenConsumer<Contrary>("3"));
    }

    [Fact]
    public void A_version_whose_fingerprint_a_dying_process_had_not_stored_is_the_newest_one_when_it_is_opened_again()
    {
        using var queue = _directory.Open();
        queue.OpenConsumer<First>("1").Dispose();
        queue.OpenConsumer<Second>("2").Dispose();
        QueueDirectory.Damage(_directory.ControlFile, TextBytesOffset + 4, BitConverter.GetBytes(First.Schema.Fingerprint));

        queue.OpenConsumer<Second>("2").Dispose();

        Assert.Equal(Second.Schema.Fingerprint, queue.ContentFingerprint);
        Assert.Equal(2, queue.Schemas.Count);
    }

    [Fact]
    public void Branches_that_add_members_in_different_places_are_both_kept()
    {
        using var queue = _directory.Open();
        queue.OpenConsumer<Third>("3").Dispose();
        queue.OpenConsumer<Nested>("nested").Dispose();

        Assert.Contains("'1 i64 Zip'", Assert.Throws<SchemaMismatchException>(() => queue.OpenConsumer<ContraryToNested>("4")).Message, StringComparison.Ordinal);
        Assert.Contains("'3 bool Paid'", Assert.Throws<SchemaMismatchException>(() => queue.OpenConsumer<ContraryToThird>("4")).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_case_that_the_first_version_has_removed_is_kept_with_a_version_that_still_has_it()
    {
        using var queue = _directory.Open();
        queue.OpenProducer(Payments("2 reserved\n")).Dispose();
        queue.OpenProducer(Payments("2 message(Cash) Cash\n", "message Cash\n0 i64 Cents\n")).Dispose();

        var exception = Assert.Throws<SchemaMismatchException>(() => queue.OpenProducer(Payments("2 message(Check) Check\n", "message Check\n0 string Bank\n")));

        Assert.Contains("'0 i64 Cents'", exception.Message, StringComparison.Ordinal);
        queue.OpenProducer(Payments("2 reserved\n")).Dispose();
        Assert.Equal(2, queue.Schemas.Count);
    }

    [Fact]
    public void More_versions_than_there_is_room_for_are_refused_and_the_queue_stays_usable()
    {
        using var queue = _directory.Open();
        queue.OpenConsumer<First>("1").Dispose();

        Assert.Throws<NotSupportedException>(() => queue.OpenConsumer<Huge>("huge"));

        queue.OpenConsumer<Second>("2").Dispose();
    }

    // Who opens signs the registrar's slot, also when it is refused afterwards: its first 16 bytes do not count.
    private static byte[] Masked(byte[] after, byte[] before)
    {
        before.AsSpan(0, 16).CopyTo(after);
        return after;
    }

    private static MessageSchema Payments(string secondCase, string secondType = "") =>
        MessageSchema.Parse($"union Payment\n1 message(Card) Card\n{secondCase}message Card\n0 i64 Number\n{secondType}");

    private int StoredTextBytes() => BitConverter.ToInt32(File.ReadAllBytes(_directory.ControlFile), TextBytesOffset);

    private readonly ref struct First : IBufferedMessage<First>
    {
        public static MessageSchema Schema { get; } = new("Order", "0 i64 Id\n", () => []);

        public static First Create(BlockReader block) => default;

        public CaseReader Content => default;

        public static bool Verify(ref MessageVerifier verifier, BlockReader block) => true;
    }

    private readonly ref struct Second : IBufferedMessage<Second>
    {
        public static MessageSchema Schema { get; } = new("Order", "0 i64 Id\n1 i32 Quantity\n", () => []);

        public static Second Create(BlockReader block) => default;

        public CaseReader Content => default;

        public static bool Verify(ref MessageVerifier verifier, BlockReader block) => true;
    }

    private readonly ref struct Third : IBufferedMessage<Third>
    {
        private static readonly MessageSchema Address = new("Address", "0 string Street\n", () => []);

        public static MessageSchema Schema { get; } = new("Order", "0 i64 Id\n1 i32 Quantity\n2 message(Address) Ship\n3 bool Paid\n", () => [Address]);

        public static Third Create(BlockReader block) => default;

        public CaseReader Content => default;

        public static bool Verify(ref MessageVerifier verifier, BlockReader block) => true;
    }

    private readonly ref struct Renamed : IBufferedMessage<Renamed>
    {
        private static readonly MessageSchema Place = new("Place", "0 string Road\n", () => []);

        public static MessageSchema Schema { get; } = new("Purchase", "0 i64 Number\n1 i32 Amount\n2 message(Place) To\n", () => [Place]);

        public static Renamed Create(BlockReader block) => default;

        public CaseReader Content => default;

        public static bool Verify(ref MessageVerifier verifier, BlockReader block) => true;
    }

    private readonly ref struct Nested : IBufferedMessage<Nested>
    {
        private static readonly MessageSchema Address = new("Address", "0 string Street\n1 i64 Zip\n", () => []);

        public static MessageSchema Schema { get; } = new("Order", "0 i64 Id\n1 i32 Quantity\n2 message(Address) Ship\n", () => [Address]);

        public static Nested Create(BlockReader block) => default;

        public CaseReader Content => default;

        public static bool Verify(ref MessageVerifier verifier, BlockReader block) => true;
    }

    private readonly ref struct Contrary : IBufferedMessage<Contrary>
    {
        public static MessageSchema Schema { get; } = new("Order", "0 i64 Id\n1 f64 Price\n", () => []);

        public static Contrary Create(BlockReader block) => default;

        public CaseReader Content => default;

        public static bool Verify(ref MessageVerifier verifier, BlockReader block) => true;
    }

    private readonly ref struct ContraryToThird : IBufferedMessage<ContraryToThird>
    {
        private static readonly MessageSchema Address = new("Address", "0 string Street\n", () => []);

        public static MessageSchema Schema { get; } = new("Order", "0 i64 Id\n1 i32 Quantity\n2 message(Address) Ship\n3 string Paid\n", () => [Address]);

        public static ContraryToThird Create(BlockReader block) => default;

        public CaseReader Content => default;

        public static bool Verify(ref MessageVerifier verifier, BlockReader block) => true;
    }

    private readonly ref struct ContraryToNested : IBufferedMessage<ContraryToNested>
    {
        private static readonly MessageSchema Address = new("Address", "0 string Street\n1 string Zip\n", () => []);

        public static MessageSchema Schema { get; } = new("Order", "0 i64 Id\n1 i32 Quantity\n2 message(Address) Ship\n", () => [Address]);

        public static ContraryToNested Create(BlockReader block) => default;

        public CaseReader Content => default;

        public static bool Verify(ref MessageVerifier verifier, BlockReader block) => true;
    }

    private readonly ref struct Huge : IBufferedMessage<Huge>
    {
        public static MessageSchema Schema { get; } = new("Order", string.Concat(Enumerable.Range(0, 20_000).Select(i => $"{i} i64 Member{i}\n")), () => []);

        public static Huge Create(BlockReader block) => default;

        public CaseReader Content => default;

        public static bool Verify(ref MessageVerifier verifier, BlockReader block) => true;
    }
}
