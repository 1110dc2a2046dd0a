namespace BufferedMessages.Generator.Tests.Lifetimes;

/// <summary>Uses after the end of a lifetime that the compiler accepts. The rule reports each as an error at the marked place.</summary>
public sealed class UseAfterCloseTests
{
    /// <summary>After the commit, abandon or dispose of the holder.</summary>
    public static TheoryData<string> AfterClose =>
    [
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; d.Commit(); Use([|order|]); }",
        "void F(Consumer c) { c.TryRead(out var d); var note = d.Message.Note; d.Abandon(); Use([|note|]); }",
        "void F(Consumer c) { c.TryRead(out var d); var tags = d.Message.Tags; d.Dispose(); Use([|tags|][0]); }",
        "void F(Consumer c) { c.TryRead(out var d); var line = d.Message.Lines[0]; d.Commit(); Use([|line|].Name); }",
        "void F(Consumer c) { c.TryRead(out var d); ReadOnlySpan<int> counts = d.Message.Counts; d.Commit(); Use([|counts|][0]); }",
        "void F(Raw c) { c.TryRead(out var d); var bytes = d.Message.Bytes; var part = bytes[1..]; d.Commit(); Use([|part|]); }",
        "void F(Values c) { c.TryRead(out var d); ref readonly var value = ref d.Message.Value; d.Commit(); Use([|value|]); }",
        "void F(Consumer c) { c.TryRead(out var d); d.Commit(); Use([|d.Message|].Note); }",
        "void F(Consumer c) { c.TryRead(out var d); d.Commit(); [|d.Commit()|]; }",
        "void F(Consumer c) { c.TryRead(out var d); Held? same = d; d.Commit(); Use([|same.Value.Message|]); }",
        "void F(Consumer c) { c.TryRead(out var d); var same = d; var order = d.Message; same.Commit(); Use([|order|]); }",
        "void F(Consumer c) { c.TryRead(out var d); Held? same = d; var order = d.Message; if (same is { } open) { open.Commit(); Use([|order|]); } }",
        "void F(Consumer c) { c.TryRead(out var d); if (d is { Message: { Id: > 3 } order }) { d.Commit(); Use([|order|]); } else { d.Dispose(); } }",
        "void F(Consumer c) { c.TryRead(out var d); d.Commit(); if (d is { [|IsRedelivery|]: true }) { Log(\"\"); } }",
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; using (d) { } Use([|order|]); }",
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; var same = order; d.Commit(); Use([|same|]); }",
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; ((IDisposable)d).Dispose(); Use([|order|]); }",
        "void F(MessageProducer p) { using var claim = p.Claim(8); claim.Commit(8); [|claim.Span|][0] = 1; }",
        "void F(MessageProducer p) { using var claim = p.Claim(8); var span = claim.Span; claim.Commit(8); [|span|][0] = 1; }",
        "void F(MessageProducer p) { using var batch = p.ClaimBatch(64); batch.TryClaim(8, out var bytes); batch.Add(8); [|bytes|][0] = 1; batch.Publish(); }",
        "void F(MessageProducer p) { using var batch = p.ClaimBatch(64); batch.TryClaim(8, out var bytes); batch.TryAdd([]); [|bytes|][0] = 1; batch.Publish(); }",
        "void F(MessageProducer<Order> p) { using var claim = p.Claim<OrderBufferedMessageWriter>(100); var writer = claim.Message; claim.Commit(); [|writer|].Id = 1; }",
        "void F(byte[] room) { using var builder = new MessageBuilder<OrderBufferedMessageWriter>(room); var writer = builder.Message; builder.Finish(); [|writer|].Id = 1; }",
        "void F(MessageProducer p) { using var claim = p.Claim(99); using var builder = new MessageBuilder<OrderBufferedMessageWriter>(claim.Span); var writer = builder.Message; claim.Commit(8); [|writer|].Id = 1; }",
        "void F(Owner owner) { var order = owner.Message; owner.Dispose(); Use([|order|].Note); }",
        "void F(string path) { var owner = BufferedMessage.Load<View>(path); var order = owner.Message; using (owner) { } Use([|order|]); }",
        "void F(PooledStream stream) { var owner = stream.DetachMessage<View>(); owner.Dispose(); Use([|owner.Message|]); }",
    ];

    /// <summary>On every path of the program.</summary>
    public static TheoryData<string> OnEveryWay =>
    [
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; if (Ask()) { d.Commit(); } Use([|order|]); }",
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; while (Ask()) { Use([|order|]); d.Dispose(); } }",
        "void F(Consumer c, int n) { c.TryRead(out var d); var order = d.Message; switch (n) { case 1: d.Commit(); break; case 2: d.Abandon(); return; } Use([|order|]); }",
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; again: Use([|order|]); if (Ask()) { d.Dispose(); goto again; } d.Dispose(); }",
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; try { Log(\"\"); } finally { d.Dispose(); } Use([|order|]); }",
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; try { d.Commit(); Log(\"\"); } catch (IOException) { Use([|order|]); } }",
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; try { d.Commit(); } finally { Use([|order|]); } }",
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; try { d.Commit(); Fail(); } catch (IOException) { Use([|order|]); } } [DoesNotReturn] static void Fail() => throw new IOException();",
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; try { using (d) { Log(\"\"); } } catch (IOException) when (Ask()) { Use([|order|]); } }",
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; d.Commit(); Use(Ask() ? [|order|] : default); }",
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; d.Commit(); if (Ask() && [|order|].Id > 3) { Log(\"\"); } }",
        "void F(Consumer c) { c.TryRead(out var d); if (d.Message is { Id: > 3 } order) { d.Commit(); Use([|order|]); } else { d.Dispose(); } }",
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; foreach (var line in [|order.Lines|]) { d.Dispose(); } }",
        "void F(Consumer c) { c.TryRead(out var d); foreach (var line in d.Message.Lines) { d.Dispose(); Use([|line|].Name); break; } }",
        "void F(Consumer c, Consumer e) { c.TryRead(out var d); e.TryRead(out var f); var order = d.Message; (Ask() ? d : f).Dispose(); f.Dispose(); Use([|order|]); }",
        "void F(Consumer c, string? text) { c.TryRead(out var d); if (text is { Length: 3 }) { d.Commit(); } if (text is not { Length: 3 }) { [|d.Abandon()|]; } }",
        "void F(Consumer c, string? text) { c.TryRead(out var d); if (string.IsNullOrEmpty(text)) { d.Commit(); } if (text != null) { [|d.Abandon()|]; } }",
        "void F(Consumer c, string? text) { c.TryRead(out var d); if (string.IsNullOrWhiteSpace(text)) { d.Commit(); } if (!string.IsNullOrEmpty(text)) { [|d.Abandon()|]; } }",
        "void F(Consumer c) { c.TryRead(out var d); var text = \" \"; if (Ask()) { text = \"\"; d.Commit(); } if (string.IsNullOrWhiteSpace(text)) { [|d.Abandon()|]; } }",
        "void F(Consumer c, object? text) { c.TryRead(out var d); if (text is null) { d.Commit(); } if (text is not string) { [|d.Abandon()|]; } }",
        "void F(Consumer c, bool? done) { c.TryRead(out var d); if (done is null) { d.Commit(); } if (done != true) { [|d.Abandon()|]; } }",
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; var state = State.Open; if (Ask()) { d.Commit(); state = State.Closed; } if (state is State.Closed) { Use([|order|]); } }",
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; var state = State.Open; if (Ask()) { d.Commit(); state = State.Closed; } if (state != State.Failed) { Use([|order|]); } }",
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; var state = State.Open; if (Ask()) { d.Commit(); state = State.Closed; } G(ref state); if (state == State.Open) { Use([|order|]); } } void G(ref State state) => state = State.Open;",
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; var n = 256; if (Ask()) { d.Commit(); n = 512; } if ((byte)n == 0) { Use([|order|]); } if (n == 256) { d.Commit(); } }",
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; var closed = 0; if (Ask()) { d.Commit(); closed++; } if (closed >= 1) { Use([|order|]); } }",
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; var (early, late) = (false, false); if (Ask()) { early = true; late = true; } if (early) { d.Commit(); } if (late) { Use([|order|]); } }",
        "void F(Consumer c, bool ask) { c.TryRead(out var d); var order = d.Message; var done = false; if (Ask()) { d.Commit(); done |= ask; } if (!done) { Use([|order|]); } }",
        "bool _done; void F(Consumer c) { c.TryRead(out var d); var order = d.Message; _done = false; if (Ask()) { d.Commit(); _done = true; } Log(\"\"); if (_done) { Use([|order|]); } }",
        "bool _done; void F(Consumer c) { c.TryRead(out var d); var order = d.Message; if (Ask()) { d.Commit(); MarkDone(); } if (_done) { Use([|order|]); } } void MarkDone() => _done = true;",
        "bool _done; void F(Consumer c) { c.TryRead(out var d); var order = d.Message; if (Ask()) { d.Commit(); MarkDone(); } Use([|order|]); } void MarkDone() => _done = true;",
        "bool Auto { get; set; } void F(Consumer c) { c.TryRead(out var d); var order = d.Message; if (Auto) { d.Commit(); } Auto = Ask(); if (!Auto) { Use([|order|]); } }",
        "volatile bool _done; void F(Consumer c) { c.TryRead(out var d); var order = d.Message; d.Commit(); _done = true; if (!_done) { Use([|order|]); } }",
        "bool _stop; void F(Consumer c) { _stop = false; while (!_stop) { Ask(); } c.TryRead(out var d); var order = d.Message; d.Dispose(); Use([|order|]); }",
        "void F(Consumer c, bool early) { c.TryRead(out var d); var order = d.Message; var late = !early; if (!early) { d.Commit(); } if (late) { Use([|order|]); } }",
        "void F(Consumer c, bool early) { c.TryRead(out var d); var order = d.Message; var late = !early; early = Ask(); if (early) { d.Commit(); } if (late) { Use([|order|]); } }",
        "void F(Consumer c, bool early) { c.TryRead(out var d); var order = d.Message; var late = false; late = !late && early; if (early) { d.Commit(); } if (late) { Use([|order|]); } }",
        "void F(Consumer c, int n, int limit) { c.TryRead(out var d); var order = d.Message; if (n < limit) { d.Commit(); } n++; if (n >= limit) { Use([|order|]); } }",
        "void F(Consumer c, int n, int limit) { c.TryRead(out var d); var order = d.Message; if (n < limit) { d.Commit(); } if (limit != n) { Use([|order|]); } }",
        "void F(Consumer c, int n, int limit) { c.TryRead(out var d); var order = d.Message; if (n < limit) { d.Commit(); } if ((byte)n >= limit) { Use([|order|]); } if (n >= limit) { Log(\"\"); } }",
        "void F(Consumer c, string status) { c.TryRead(out var d); var order = d.Message; if (status == \"ok\") { d.Commit(); } if (status != \"bad\") { Use([|order|]); } }",
        "void F(Consumer c, string? status) { c.TryRead(out var d); var order = d.Message; if (status != \"ok\") { d.Commit(); } if (status is null) { Use([|order|]); } }",
        "void F(Consumer c, object? one) { c.TryRead(out var d); var order = d.Message; if (one is null) { d.Commit(); } if (one as string == null) { Use([|order|]); } }",
        "void F(Consumer c, int? n) { c.TryRead(out var d); var order = d.Message; if (n == null) { d.Commit(); } if (!(n > 3)) { Use([|order|]); } }",
        "void F(Consumer c, int? step) { c.TryRead(out var d); var order = d.Message; int? n = 1; if (step == null) { d.Commit(); n += step; } if (n != 1) { Use([|order|]); } }",
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; int? n = 0; if (Ask()) { d.Commit(); n++; } if (n != null) { Use([|order|]); } }",
        "void F(Consumer c, int n) { c.TryRead(out var d); var order = d.Message; int? last = null; if (n != 3) { d.Commit(); last = n; } if (last != null) { Use([|order|]); } }",
        "void F(Consumer c, float part) { c.TryRead(out var d); var order = d.Message; if (part < -1) { d.Commit(); } if (part < 0) { Use([|order|]); } }",
        "void F(Consumer c, double part) { c.TryRead(out var d); var order = d.Message; if (part > 0) { d.Commit(); } if (!(part > 0.5)) { Use([|order|]); } }",
        "Action<Consumer> F() => static c => { c.TryRead(out var d); var order = d.Message; d.Commit(); Use([|order|]); };",
        "void F(Consumer c) { G(); void G() { c.TryRead(out var d); var order = d.Message; d.Commit(); Use([|order|]); } }",
        "void F(Consumer c) { try { Action<int> a = i => { c.TryRead(out var d); var order = d.Message; try { Use(i); } finally { d.Commit(); } Use([|order|]); }; a(1); } finally { Log(\"\"); } }",
        "async Task F(Consumer c) { await Task.Yield(); c.TryRead(out var d); var order = d.Message; d.Commit(); Use([|order|]); await Task.Yield(); }",
        "async Task F(Consumer c) { using var d = await c.ReadAsync(); await Task.Yield(); d.Commit(); await Task.Yield(); Use([|d.Message|].Id); }",
        "async Task F(Consumer c) { var d = await c.ReadAsync().ConfigureAwait(false); d.Commit(); Use([|d.Message|].Id); }",
        "async Task F(Consumer c) { await foreach (var d in c.ReadAllAsync()) { var order = d.Message; d.Commit(); Use([|order|]); } }",
        "IEnumerable<int> F(Consumer c) { yield return 1; c.TryRead(out var d); var order = d.Message; d.Commit(); Use([|order|]); yield return 2; }",
        "void F(Consumer c) { foreach (var d in c.ReadAll()) { var order = d.Message; d.Commit(); Use([|order|]); } }",
        "int Value { get { Consumers.TryRead(out var d); var order = d.Message; d.Commit(); return [|order|].Id; } } Consumer Consumers => null!;",
        "Program(Consumer c) { c.TryRead(out var d); var order = d.Message; d.Commit(); Use([|order|]); }",
        "void F<TView>(MessageConsumer<TView> c) where TView : IBufferedMessage<TView>, allows ref struct { c.TryRead(out var d); var view = d.Message; d.Commit(); _seen += G([|view|]); } int G<T>(T view) where T : allows ref struct => 1;",
    ];

    /// <summary>After the consumer or loop that returned the delivery ended or advanced.</summary>
    public static TheoryData<string> AfterItsSource =>
    [
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; c.TryRead(out var next); Use([|order|]); d.Dispose(); next.Dispose(); }",
        "void F(Consumer c) { c.TryRead(out var d); c.TryRead(out var next); [|d.Commit()|]; next.Commit(); }",
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; var next = c.ReadAsync(); Use([|order|]); d.Dispose(); Use(next.IsCompleted ? 1 : 0); }",
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; _ = c.WaitToReadAsync(TimeSpan.Zero); Use([|order|]); d.Dispose(); }",
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; c.CommitThrough(d.Position); Use([|order|]); }",
        "void F(Consumer c) { c.TryRead(out var d); var position = d.Position; var order = d.Message; c.CommitThrough(position); Use([|order|]); }",
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; c.Dispose(); Use([|order|]); d.Dispose(); }",
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; using (c) { } Use([|order|]); d.Dispose(); }",
        "void F(Reader r) { r.TryRead(out var d); var order = d.Message; r.Dispose(); Use([|order|]); }",
        "void F(Reader r) { r.TryRead(out var d); var order = d.Message; r.TryRead(out d); Use([|order|]); }",
        "void F(MessageQueue q) { using var c = q.OpenConsumer<View>(\"a\"); c.TryRead(out var d); var order = d.Message; q.Dispose(); Use([|order|]); d.Dispose(); }",
        "void F(MessageQueue q) { using var r = q.OpenReader<View>(); r.TryRead(out var d); var order = d.Message; q.Dispose(); Use([|order|]); }",
        "void F(Consumer c) { Held last = default; foreach (var d in c.ReadAll()) { last = d; break; } Use([|last.Message|]); }",
        "void F(Consumer c) { Held last = default; scoped View order = default; foreach (var d in c.ReadAll()) { Use([|order|]); last = d; order = last.Message; } }",
        "async Task F(Consumer c) { Held last = default; await foreach (var d in c.ReadAllAsync().ConfigureAwait(false)) { last = d; break; } Use([|last.Message|]); }",
        "readonly Consumer _c = null!; void F() { _c.TryRead(out var d); var order = d.Message; _c.TryRead(out var next); Use([|order|]); d.Dispose(); next.Dispose(); }",
        "Consumer C { get; } = null!; void F() { C.TryRead(out var d); var order = d.Message; this.C.Dispose(); Use([|order|]); d.Dispose(); }",
        "Consumer? _c; void F() { _c!.TryRead(out var d); var order = d.Message; _c.Dispose(); Use([|order|]); d.Dispose(); }",
        "class G(Consumer c) { void F() { c.TryRead(out var d); var order = d.Message; c.TryRead(out d); Use([|order|]); d.Dispose(); } }",
    ];

    /// <summary>Of a pooled stream that was disposed, written to or shortened.</summary>
    public static TheoryData<string> AfterTheStream =>
    [
        "void F(PooledStream s) { var message = s.ReadMessage<View>(); var order = message.Message; s.Dispose(); Use([|order|]); }",
        "void F() { var s = BufferPool.Shared.GetStream(); var message = s.ReadMessage<View>(); var order = message.Message; using (s) { } Use([|order|]); }",
        "void F(PooledStream s) { var message = s.ReadMessage<View>(); var order = message.Message; s.Write([1, 2]); Use([|order|]); }",
        "void F(PooledStream s) { var message = s.ReadMessage<View>(); var order = message.Message; s.SetLength(0); Use([|order|]); }",
        "void F(PooledStream s, Order source) { var message = s.ReadMessage<View>(); var order = message.Message; source.WriteTo(s); Use([|order|]); }",
        "void F(PooledStream s) { var message = s.ReadMessage<View>(); var order = message.Message; using var owner = s.DetachMessage<View>(); Use([|order|]); }",
    ];

    /// <summary>Of memory that was returned to its pool.</summary>
    public static TheoryData<string> AfterItsMemory =>
    [
        "void F() { var array = ArrayPool<byte>.Shared.Rent(99); var order = BufferedMessage.Create<View>(array); ArrayPool<byte>.Shared.Return(array); Use([|order|]); }",
        "void F() { var array = ArrayPool<byte>.Shared.Rent(99); var order = BufferedMessage.Create<View>(array.AsSpan(0, 9)); ArrayPool<byte>.Shared.Return(array); Use([|order|].Note); }",
        "void F() { var array = ArrayPool<byte>.Shared.Rent(99); var note = BufferedMessage.Create<View>(new ReadOnlySpan<byte>(array, 0, 9)).Note; ArrayPool<byte>.Shared.Return(array); Use([|note|]); }",
        "void F() { var array = ArrayPool<byte>.Shared.Rent(99); var memory = array.AsMemory(1); var order = BufferedMessage.Create<View>(memory.Span); ArrayPool<byte>.Shared.Return(array); Use([|order|]); }",
        "void F() { var array = ArrayPool<byte>.Shared.Rent(99); using var builder = new MessageBuilder<OrderBufferedMessageWriter>(array); var writer = builder.Message; ArrayPool<byte>.Shared.Return(array); [|writer|].Id = 1; }",
        "void F() { var array = ArrayPool<byte>.Shared.Rent(99); var same = array; Span<byte> all = same; var order = BufferedMessage.Create<View>(all); ArrayPool<byte>.Shared.Return(array); Use([|order|]); }",
        "void F(IMemoryOwner<byte> owner) { var order = BufferedMessage.Create<View>(owner.Memory.Span[..8]); owner.Dispose(); Use([|order|]); }",
        "void F() { var owner = BufferPool.Shared.Rent(9); var order = BufferedMessage.Create<View>(owner.Memory.Span); using (owner) { } Use([|order|]); }",
        "void F(PooledStream s) { var owner = s.DetachMemory(); var order = BufferedMessage.Create<View>(owner.Memory.Span); owner.Dispose(); Use([|order|]); }",
        "View F() { var array = ArrayPool<byte>.Shared.Rent(99); try { return [|BufferedMessage.Create<View>(array)|]; } finally { ArrayPool<byte>.Shared.Return(array); } }",
        "View F() { using var owner = MemoryPool<byte>.Shared.Rent(9); return [|BufferedMessage.Create<View>(owner.Memory.Span)|]; }",
        "BufferedString F() { using var owner = MemoryPool<byte>.Shared.Rent(9); var order = BufferedMessage.Create<View>(owner.Memory.Span); return [|order.Note|]; }",
        "View F() { View order = default; using (var owner = MemoryPool<byte>.Shared.Rent(9)) { order = BufferedMessage.Create<View>(owner.Memory.Span); } return [|order|]; }",
        "View F(ReadOnlySpan<byte> bytes) { var array = ArrayPool<byte>.Shared.Rent(99); bytes.CopyTo(array); var order = Parse(array.AsSpan()); ArrayPool<byte>.Shared.Return(array); return [|order|]; } View Parse(ReadOnlySpan<byte> b) => BufferedMessage.Create<View>(b);",
    ];

    [Theory]
    [MemberData(nameof(AfterClose))]
    [MemberData(nameof(OnEveryWay))]
    [MemberData(nameof(AfterItsSource))]
    [MemberData(nameof(AfterTheStream))]
    public async Task A_use_after_the_end_is_refused(string member) => await new LifetimeSource(member).RequireOne("BMSG0060");

    [Theory]
    [MemberData(nameof(AfterItsMemory))]
    public async Task A_use_of_memory_that_was_given_back_is_refused(string member) => await new LifetimeSource(member).RequireOne("BMSG0063");

    [Fact]
    public async Task A_use_within_many_blocks_is_found()
    {
        var blocks = string.Concat(Enumerable.Range(0, 40).Select(static i => $"using var s{i} = new MemoryStream(); "));

        await new LifetimeSource($"void F(Consumer c) {{ {blocks} c.TryRead(out var d); var order = d.Message; d.Commit(); Use([|order|]); }}").RequireOne("BMSG0060");
    }
}
