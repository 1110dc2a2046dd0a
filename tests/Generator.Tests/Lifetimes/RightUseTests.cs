namespace BufferedMessages.Generator.Tests.Lifetimes;

/// <summary>Correct uses, which neither the compiler nor a rule may reject: a rule with severity error must not be wrong.</summary>
public sealed class RightUseTests
{
    /// <summary>Deliveries, in the ways in which consumers are written.</summary>
    public static TheoryData<string> Deliveries =>
    [
        "void F(Consumer c) { while (c.TryRead(out var d)) { var order = d.Message; Use(order); d.Commit(); } }",
        "void F(Consumer c) { while (c.TryRead(out var d)) { using (d) { var order = d.Message; Use(order); d.Commit(); } } }",
        "void F(Consumer c) { Held d; while (c.TryRead(out d)) { Use(d.Message); d.Commit(); } }",
        "void F(Consumer c) { foreach (var d in c.ReadAll()) { var order = d.Message; Use(order); } }",
        "void F(Consumer c) { foreach (var d in c.ReadAll()) { var order = d.Message; Use(order); d.Commit(); if (Ask()) { break; } } }",
        "int F(Consumer c) { foreach (var d in c.ReadAll()) { var order = d.Message; if (order.Id > 3) { return order.Id; } d.Commit(); } return 0; }",
        "async Task F(Consumer c) { await foreach (var d in c.ReadAllAsync()) { var id = d.Message.Id; await Task.Delay(id); Use(d.Message); d.Commit(); } }",
        "async Task F(Consumer c, CancellationToken stop) { await foreach (var d in c.ReadAllAsync(stop).WithCancellation(stop).ConfigureAwait(false)) { Use(d.Message); await Task.Yield(); Use(d.Message.Id); } }",
        "async Task F(Consumer c) { while (true) { using var d = await c.ReadAsync(); var text = d.Message.Note.ToString(); await Task.Yield(); Use(text); d.Commit(); } }",
        "async Task F(Consumer c) { while (await c.WaitToReadAsync(TimeSpan.FromSeconds(1))) { while (c.TryRead(out var d)) { Use(d.Message); d.Commit(); } } }",
        "void F(Consumer c) { c.TryRead(out var d); d.Commit(); c.TryRead(out d); Use(d.Message); d.Commit(); }",
        "void F(Consumer c) { c.TryRead(out var d); var id = d.Message.Id; var note = d.Message.Note.ToString(); d.Commit(); Use(id); Use(note); }",
        "void F(Consumer c) { c.TryRead(out var d); var source = d.Message.ToOrder(); d.Commit(); Use(source.Note); }",
        "void F(Values c) { c.TryRead(out var d); var value = d.Message.Value; d.Commit(); Use(value); }",
        "void F(Consumer c) { c.TryRead(out var d); if (Ask()) { d.Commit(); } else { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; if (Ask()) { d.Commit(); return; } Use(order); d.Commit(); }",
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; if (Ask()) { d.Commit(); throw new IOException(); } Use(order); d.Commit(); }",
        "void F(Consumer c) { c.TryRead(out var d); d.Commit(); d.Dispose(); d.Dispose(); _ = d.Equals(default); _ = d.ToString(); }",
        "void F(Consumer c) { Held? open = null; try { if (c.TryRead(out var d)) { open = d; Use(d.Message); d.Commit(); } } finally { open?.Dispose(); } }",
        "void F(Consumer c) { Held? open = null; if (c.TryRead(out var d)) { open = d; d.Commit(); } if (open.HasValue) { open.Value.Dispose(); } }",
        "void F(Consumer c) { Held? open = null; if (c.TryRead(out var d)) { open = d; } if (open is not { } last) { return; } Use(last.Message); last.Commit(); }",
        "async Task F(Consumer c) { var next = c.ReadAsync(); using (var d = await next) { Use(d.Message); } Use(next.IsCompletedSuccessfully ? 1 : 0); }",
        "void F(Consumer c) { if (!c.TryRead(out var d)) { return; } try { Use(d.Message); d.Commit(); } catch (IOException) { d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; try { Use(order); d.Commit(); } catch (IOException) { Use(order); d.Dispose(); throw; } }",
        "void F(Consumer c) { c.TryRead(out var d); if (d is { IsRedelivery: false, Message: { Id: 3 } order }) { Use(order); d.Commit(); } else { d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); if (Ask()) { d.Abandon(); Fail(); } Use(d.Message); d.Commit(); } [DoesNotReturn] static void Fail() => throw new IOException();",
        "void F(Consumer c) { c.TryRead(out var d); try { Use(d.Message); } catch (IOException e) { d.Abandon(); System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(e); } d.Commit(); }",
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; try { Use(order); if (Ask()) { d.Commit(); return; } } finally { Log(\"\"); } Use(order); d.Commit(); }",
        "void F(Consumer c) { c.TryRead(out var d); try { Use(d.Message); } finally { d.Dispose(); } c.TryRead(out d); try { Use(d.Message); } finally { d.Dispose(); } }",
        "void F(Consumer c) { foreach (var i in new[] { 1, 2 }) { c.TryRead(out var d); var order = d.Message; Use(order); d.Commit(); } }",
        "void F(Consumer c) { c.TryRead(out var d); scoped var order = d.Message; d.Commit(); order = default; Use(order); }",
        "void F(Consumer c) { c.TryRead(out var d); scoped var order = d.Message; d.Commit(); c.TryRead(out d); order = d.Message; Use(order); d.Commit(); }",
        "void F(Consumer c, Consumer e) { c.TryRead(out var d); e.TryRead(out var f); var order = d.Message; f.Commit(); Use(order); d.Commit(); }",
        "void F(Consumer c, Consumer e) { c.TryRead(out var d); var order = d.Message; e.TryRead(out var f); Use(order); Use(f.Message); f.Commit(); d.Commit(); }",
        "void F(Consumer c) { var positions = new List<long>(); while (c.TryRead(out var d)) { Use(d.Message); positions.Add(d.Position); } c.CommitThrough(positions[^1]); }",
        "void F(Consumer c) { long last = -1; while (c.TryRead(out var d)) { var order = d.Message; if (last >= 0) { c.CommitThrough(last); } Use(order); last = d.Position; } }",
        "void F(Consumer c) { c.TryRead(out var d); var before = d.Position; before--; c.CommitThrough(before); Use(d.Message); d.Commit(); }",
        "void F(Consumer c) { c.TryRead(out var d); var before = d.Position; before -= 1; c.CommitThrough(before); Use(d.Message); d.Commit(); }",
        "void F(Consumer c) { c.TryRead(out var d); G(d); } void G(Held d) { Use(d.Message); d.Commit(); }",
        "void F(Consumer c) { c.TryRead(out var d); G(ref d, c); Use(d.Message); d.Commit(); } void G(ref Held d, Consumer c) { d.Commit(); c.TryRead(out d); }",
        "void F(Consumer c) { c.TryRead(out var d); scoped ref var e = ref d; Use(e.Message); e.Commit(); c.TryRead(out e); Use(d.Message); e.Commit(); }",
        "void F(Held[] all, Consumer c) { ref var e = ref all[0]; e.Commit(); c.TryRead(out e); Use(e.Message); e.Commit(); }",
        "void F(Held[] all, Held next) { ref var e = ref all[0]; e.Commit(); e = next; Use(e.Message); e.Commit(); }",
        "Held _d; readonly Consumer _c = null!; void F() { ref var d = ref _d; _d.Commit(); _c.TryRead(out d); Use(_d.Message); d.Commit(); }",
        "void F(Consumer c) { c.TryRead(out var d); Action next = () => c.TryRead(out d); d.Commit(); next(); Use(d.Message); d.Commit(); }",
        "void F(Consumer c) { c.TryRead(out var d); d.Commit(); Next(); Use(d.Message); d.Commit(); void Next() => c.TryRead(out d); }",
        "readonly List<Held> _open = []; void F(Consumer c) { c.TryRead(out var d); _open.Add(d); foreach (var one in _open) { Use(one.Message); one.Commit(); } }",
        "Consumer _c = null!; void F() { _c.TryRead(out var d); Reopen(); _c.TryRead(out var e); Use(d.Message); Use(e.Message); d.Commit(); e.Commit(); } void Reopen() => _c = null!;",
        "Held _d; readonly Consumer _c = null!; bool Next => _c.TryRead(out _d); void F() { _d.Commit(); if (Next) { Use(_d.Message); _d.Commit(); } }",
        "Held _d; readonly Consumer _c = null!; IEnumerable<int> F() { _d.Commit(); yield return 1; Use(_d.Message); _d.Commit(); } void Next() => _c.TryRead(out _d);",
        "Held _d; readonly Consumer _c = null!; void F() { foreach (var n in All()) { Use(_d.Message); _d.Commit(); } } IEnumerable<int> All() { while (_c.TryRead(out _d)) { yield return 1; } }",
        "protected virtual Held D { get; set; } void F() { var old = D; D.Commit(); Use(old.Message); old.Commit(); }",
        "protected virtual bool IsDone { get; set; } void F(Consumer c) { c.TryRead(out var d); IsDone = false; if (Ask()) { d.Commit(); IsDone = true; } if (!IsDone) { d.Abandon(); } }",
        "Held _d; readonly Consumer _c = null!; void F(List<int> all) { _d.Commit(); all.ForEach(n => _c.TryRead(out _d)); Use(_d.Message); _d.Commit(); }",
        "Consumer _c = null!; void F(Consumer other) { _c.TryRead(out var d); _c = other; _c.TryRead(out var e); Use(d.Message); d.Commit(); e.Commit(); }",
        "void F(string path) { Consumer c; using (var q = MessageQueue.Open(path)) { c = q.OpenConsumer<View>(\"a\"); } c.TryRead(out var d); var order = d.Message; Use(order); d.Commit(); }",
        "void F(Consumer c) { c.TryRead(out var d); c.Dispose(); d.Commit(); }",
        "void F(MessageQueue q) { while (Ask()) { using var c = q.OpenConsumer<View>(\"a\"); c.TryRead(out var d); var order = d.Message; Use(order); d.Commit(); } }",
        "void F(Consumer c, int n) { c.TryRead(out var d); switch (n) { case 1: Use(d.Message); d.Commit(); break; default: Use(d.Message); d.Abandon(); break; } }",
        "void F(Consumer c) { c.TryRead(out var d); again: Use(d.Message); if (Ask()) { goto again; } d.Commit(); }",
        "void F(Consumer c) { c.TryRead(out var d); foreach (var line in d.Message.Lines) { Use(line.Name); } foreach (var tag in d.Message.Tags) { Use(tag); } d.Commit(); }",
        "void F(Consumer c) { c.TryRead(out var d); var copy = Write(d.Message.Note, new byte[100]); d.Commit(); Use(copy); } ReadOnlySpan<byte> Write(BufferedString text, Span<byte> room) => room;",
        "void F(Consumer c) { c.TryRead(out var d); var found = Find(d.Message.Note); d.Commit(); Use(found); } View Find(scoped BufferedString key) => default;",
    ];

    /// <summary>Conditions that a program tests twice.</summary>
    public static TheoryData<string> Conditions =>
    [
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; var done = false; if (Ask()) { d.Commit(); done = true; } if (!done) { Use(order); d.Abandon(); } }",
        "void F(Consumer c, bool early) { c.TryRead(out var d); var order = d.Message; if (early) { d.Commit(); } Log(\"\"); if (!early) { Use(order); d.Commit(); } }",
        "void F(Consumer c, bool early) { G(); void G() { c.TryRead(out var d); if (early) { d.Commit(); } Log(\"\"); if (!early) { Use(d.Message); d.Commit(); } } }",
        "readonly bool _early = Ask(); void F(Consumer c) { c.TryRead(out var d); if (_early) { d.Commit(); } Log(\"\"); if (!_early) { Use(d.Message); d.Commit(); } }",
        "bool Early { get; init; } void F(Consumer c) { c.TryRead(out var d); if (Early) { d.Commit(); } Log(\"\"); if (!Early) { Use(d.Message); d.Commit(); } }",
        "readonly State _state = State.Open; void F(Consumer c) { c.TryRead(out var d); switch (_state) { case State.Open: d.Commit(); break; } Log(\"\"); if (_state != State.Open) { Use(d.Message); d.Commit(); } }",
        "bool Auto { get; set; } void F(Consumer c) { c.TryRead(out var d); var order = d.Message; if (Auto) { d.Commit(); } Log(\"\"); if (!Auto) { Use(order); d.Commit(); } }",
        "State _state; void F(Consumer c) { c.TryRead(out var d); if (_state == State.Open) { d.Commit(); } Log(\"\"); switch (_state) { case State.Waiting: Use(d.Message); d.Commit(); break; } }",
        "bool _done; void F(Consumer c) { c.TryRead(out var d); var order = d.Message; _done = false; if (Ask()) { d.Commit(); _done = true; } Log(\"\"); if (!_done) { Use(order); d.Abandon(); } }",
        "bool _done; async Task F(Consumer c) { using var d = await c.ReadAsync(); _done = false; try { Use(d.Message); d.Commit(); _done = true; await Task.Yield(); } finally { if (!_done) { d.Abandon(); } } }",
        "bool _first; void F(Held a, Held b) { var d = _first ? a : b; Log(\"\"); var other = _first ? b : a; d.Commit(); Use(other.Message); other.Commit(); }",
        "void F(Consumer c) { c.TryRead(out var d); var done = false; if (Ask()) { d.Commit(); done = true; } if (!done) { Use(d.Message); Finish(); } void Finish() { d.Abandon(); done = true; } }",
        "void F(Consumer c) { c.TryRead(out var d); var done = false; ref var same = ref done; if (Ask()) { d.Commit(); done = true; } if (!done) { Use(d.Message); d.Abandon(); same = true; } }",
        "bool _done; void F(Consumer c) { c.TryRead(out var d); _done = false; if (Ask()) { d.Commit(); _done = true; } if (!_done) { Use(d.Message); d.Abandon(); } }",
        "Held _d; bool _done; void F() { if (Ask()) { _d.Commit(); _done = true; } if (!_done) { _d.Abandon(); } }",
        "Held _d; State State { get; set; } void F() { if (Ask()) { _d.Commit(); State = State.Closed; } if (State == State.Open) { _d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); var ok = Ask(); if (ok) { d.Commit(); } Log(\"\"); if (ok) { return; } Use(d.Message); d.Abandon(); }",
        "void F(Consumer c) { c.TryRead(out var d); Exception? failure = null; try { Use(d.Message); } catch (IOException e) { failure = e; d.Abandon(); } if (failure is null) { d.Commit(); } }",
        "void F(Consumer c) { c.TryRead(out var d); var ok = false; string? error = null; try { Use(d.Message); ok = true; } catch (IOException e) { error = e.Message; } if (ok) { d.Commit(); } Log(\"\"); if (error != null) { d.Abandon(); } }",
        "bool _verbose, _trace, _slow; void F(Consumer c) { c.TryRead(out var d); var ok = false; string? error = null; try { Use(d.Message); ok = true; } catch (IOException e) { error = e.Message; } if (_verbose) { Log(\"\"); } if (_trace) { Log(\"\"); } if (_slow) { Log(\"\"); } if (ok) { d.Commit(); } if (error != null) { d.Abandon(); } }",
        "bool _verbose, _trace, _slow; void F(Consumer c, int i, int j, int k) { c.TryRead(out var d); var ok = false; string? error = null; try { Use(d.Message); ok = true; } catch (IOException e) { error = e.Message; } if (_verbose) { if (i > 3) { Log(\"\"); } } if (_trace) { if (j > 3) { Log(\"\"); } } if (_slow) { if (k > 3) { Log(\"\"); } } if (ok) { d.Commit(); } if (error != null) { d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); var (early, late) = (false, true); if (Ask()) { early = true; late = false; } if (early) { d.Commit(); } if (late) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); string? error = null; if (Ask()) { error = \"no\"; d.Abandon(); } if (error == null) { d.Commit(); } else { Use(error); } }",
        "void F(Consumer c) { c.TryRead(out var d); string? error = null; if (Ask()) { error = \"no\"; d.Abandon(); } if (null == error) { d.Commit(); } }",
        "void F(Consumer c) { c.TryRead(out var d); Failure? failure = null; if (Ask()) { failure = new Failure(3); d.Abandon(); } if (failure == null) { d.Commit(); } } record Failure(int Code);",
        "void F(Consumer c) { c.TryRead(out var d); DateTime? closed = null; if (Ask()) { d.Commit(); closed = DateTime.UtcNow; } if (null != closed) { return; } Use(d.Message); d.Abandon(); }",
        "void F(Consumer c) { c.TryRead(out var d); string? error = null; if (Ask()) { error = \"no\"; d.Abandon(); } if (error is { } text) { Log(text); } else { d.Commit(); } }",
        "void F(Consumer c) { c.TryRead(out var d); string? error = null; if (Ask()) { error = \"no\"; d.Abandon(); } if (error is string text) { Log(text); } else { d.Commit(); } }",
        "void F(Consumer c) { c.TryRead(out var d); string? error = null; if (Ask()) { error = \"no\"; d.Abandon(); } if (!(error is string)) { d.Commit(); } }",
        "void F(Consumer c) { c.TryRead(out var d); string? error = null; if (Ask()) { error = \"no\"; d.Abandon(); } if (error is not { }) { d.Commit(); } }",
        "void F(Consumer c) { c.TryRead(out var d); int? error = null; if (Ask()) { error = 3; d.Abandon(); } if (error is not int code) { d.Commit(); } else { Use(code); } }",
        "void F(Consumer c) { c.TryRead(out var d); int? error = null; if (Ask()) { error = 3; d.Abandon(); } if (error.HasValue) { return; } d.Commit(); }",
        "void F(Consumer c) { c.TryRead(out var d); bool? done = null; if (Ask()) { d.Commit(); done = true; } if (done is null) { d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); var done = false; if (Ask()) { d.Commit(); done = true; } if (done == false) { d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); var done = false; if (Ask()) { d.Commit(); done = true; } if (true != done) { d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); var done = false; if (Ask()) { d.Commit(); done = true; } if (done is not true) { d.Abandon(); } }",
        "void F(Consumer c) { var has = c.TryRead(out var d); try { if (has) { Use(d.Message); } } finally { if (has) { d.Dispose(); } } }",
        "async Task F(Consumer c) { using var d = await c.ReadAsync(); var isDone = false; try { Use(d.Message); await Task.Yield(); d.Commit(); isDone = true; } finally { if (!isDone) { d.Abandon(); } } }",
    ];

    /// <summary>Numbers and enums that a program sets when it ends a lifetime, and tests later.</summary>
    public static TheoryData<string> Flags =>
    [
        "void F(Consumer c) { c.TryRead(out var d); var state = State.Open; if (Ask()) { d.Commit(); state = State.Closed; } if (state == State.Open) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); var state = State.Open; if (Ask()) { d.Commit(); state = State.Closed; } if (State.Open != state) { return; } Use(d.Message); d.Abandon(); }",
        "void F(Consumer c) { c.TryRead(out var d); var state = State.Open; if (Ask()) { d.Commit(); state = State.Closed; } if (state is State.Open or State.Waiting) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); var state = State.Open; if (Ask()) { d.Commit(); state = Ask() ? State.Closed : State.Failed; } if (state < State.Closed) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); var state = State.Open; if (Ask()) { d.Commit(); state = State.Closed; } switch (state) { case State.Closed: case State.Failed: return; default: Use(d.Message); d.Abandon(); break; } }",
        "void F(Consumer c) { c.TryRead(out var d); var state = State.Open; if (Ask()) { d.Commit(); state = State.Closed; } switch (state) { case State.Open: Use(d.Message); d.Abandon(); break; } }",
        "int F(Consumer c) { c.TryRead(out var d); var state = State.Open; if (Ask()) { d.Commit(); state = State.Closed; } return state switch { State.Open => d.Message.Id, _ => 0 }; }",
        "void F(Consumer c, State state) { c.TryRead(out var d); if (state == State.Closed) { d.Commit(); } Log(\"\"); if (state != State.Closed) { Use(d.Message); d.Commit(); } }",
        "void F(Consumer c) { c.TryRead(out var d); var closed = 0; if (Ask()) { d.Commit(); closed = 1; } if (closed == 0) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); byte closed = 0; if (Ask()) { d.Commit(); closed = 1; } if (0 >= closed) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); var closed = 0; if (Ask()) { d.Commit(); closed++; } if (closed > 0) { return; } Use(d.Message); d.Abandon(); }",
        "void F(Consumer c) { c.TryRead(out var d); var closed = 0L; if (Ask()) { d.Commit(); closed += 2; } if (closed < 1) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c, int n) { c.TryRead(out var d); if (n > 3) { d.Commit(); } Log(\"\"); if (n <= 3) { Use(d.Message); d.Commit(); } }",
        "void F(Consumer c) { c.TryRead(out var d); var code = 'o'; if (Ask()) { d.Commit(); code = 'c'; } if (code is not 'o') { return; } Use(d.Message); d.Abandon(); }",
        "void F(Consumer c) { c.TryRead(out var d); var done = false; if (Ask()) { d.Commit(); done |= true; } if (!done) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); var done = false; if (Ask()) { d.Commit(); done = true; } done |= Ask(); if (!done) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); var isOpen = true; if (Ask()) { d.Commit(); isOpen = false; } isOpen &= Ask(); if (isOpen) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); var done = false; if (Ask()) { d.Commit(); done = true; } done = done || Ask(); if (!done) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); var seen = Marks.None; if (Ask()) { d.Commit(); seen |= Marks.Closed; } if ((seen & Marks.Closed) == 0) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); var seen = Marks.None; if (Ask()) { d.Commit(); seen |= Marks.Closed; } if (!seen.HasFlag(Marks.Closed)) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); var state = State.Open; if (Ask()) { d.Commit(); state = State.Closed; } var isOpen = state == State.Open; if (isOpen && state == State.Open) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); var state = State.Open; if (Ask()) { d.Commit(); state = State.Closed; } var isOpen = state == State.Open; if (isOpen) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); var (done, count) = (false, 0); if (Ask()) { d.Commit(); (done, count) = (true, 1); } if (!done) { Use(d.Message); } if (count == 0) { d.Abandon(); } }",
        "void F(Consumer c) { var state = State.Open; Held d = default; for (var i = 0; i < 3; i++) { if (state == State.Open) { c.TryRead(out d); state = State.Waiting; } if (state == State.Waiting) { Use(d.Message); } if (Ask()) { d.Commit(); state = State.Open; } } if (state == State.Waiting) { d.Abandon(); } }",
    ];

    /// <summary>Flags that were assigned a condition.</summary>
    public static TheoryData<string> DerivedFlags =>
    [
        "void F(Consumer c, bool early) { c.TryRead(out var d); var late = !early; if (early) { d.Commit(); } Log(\"\"); if (late) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c, bool early) { c.TryRead(out var d); var late = !early; if (late) { d.Commit(); } Log(\"\"); if (early) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c, bool early) { c.TryRead(out var d); var late = !early; var same = !late; if (early) { d.Commit(); } Log(\"\"); if (!same) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c, bool early) { c.TryRead(out var d); var late = !early; if (early) { d.Commit(); } early = Ask(); if (late) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); string? error = null; try { Use(d.Message); } catch (IOException e) { error = e.Message; } var ok = error is null; if (ok) { d.Commit(); } Log(\"\"); if (error != null) { d.Abandon(); } }",
        "void F(Consumer c, int n) { c.TryRead(out var d); bool isGreat; isGreat = n > 3; if (isGreat) { Log(\"\"); } if (n <= 3) { d.Commit(); } if (isGreat) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c, bool a, bool b) { c.TryRead(out var d); var both = a && b; if (both) { d.Commit(); } Log(\"\"); if (!a || !b) { Use(d.Message); d.Abandon(); } }",
        "bool _early; void F(Consumer c) { c.TryRead(out var d); var late = !_early; if (_early) { d.Commit(); } Log(\"\"); if (late) { Use(d.Message); d.Abandon(); } }",
        "bool _early; void F(Consumer c) { c.TryRead(out var d); var late = !_early; Log(\"\"); if (late) { d.Commit(); } Log(\"\"); if (_early) { Use(d.Message); d.Abandon(); } }",
    ];

    /// <summary>Flags that a called method or accessor assigns.</summary>
    public static TheoryData<string> FlagsOfCalledCode =>
    [
        "bool _done; void F(Consumer c) { c.TryRead(out var d); _done = false; if (Ask()) { d.Commit(); MarkDone(); } if (!_done) { Use(d.Message); d.Abandon(); } } void MarkDone() => _done = true;",
        "bool _done; void F(Consumer c) { c.TryRead(out var d); if (Ask()) { MarkDone(); d.Commit(); } if (!_done) { Use(d.Message); d.Abandon(); } } void MarkDone() => _done = true;",
        "bool _done; void F(Consumer c) { c.TryRead(out var d); if (Ask()) { d.Commit(); MarkDone(); } if (!_done) { Use(d.Message); d.Abandon(); } } void MarkDone() { Log(\"\"); this.Note(); } void Note() => (_done, _) = (true, 1);",
        "bool _done; bool IsDone { get => _done; set => _done = value; } void F(Consumer c) { c.TryRead(out var d); if (Ask()) { d.Commit(); IsDone = true; } if (!_done) { Use(d.Message); d.Abandon(); } }",
        "State _state; void F(Consumer c) { c.TryRead(out var d); _state = State.Open; if (Ask()) { d.Commit(); Finish(); } if (_state == State.Open) { Use(d.Message); d.Abandon(); } } void Finish() => _state = Ask() ? State.Closed : State.Failed;",
        "bool _done; async Task F(Consumer c) { using var d = await c.ReadAsync(); _done = false; try { Use(d.Message); d.Commit(); await MarkDoneAsync(); } finally { if (!_done) { d.Abandon(); } } } async Task MarkDoneAsync() { _done = true; await Task.Yield(); }",
        "bool _done; void F(Consumer c) { c.TryRead(out var d); _done = false; if (Ask()) { d.Commit(); _done = true; } Check(); if (!_done) { Use(d.Message); d.Abandon(); } } void Check() { if (Ask()) { _done = false; } }",
        "bool _early; void F(Consumer c) { c.TryRead(out var d); var late = !_early; if (_early) { d.Commit(); } Log(\"\"); Start(); if (late) { Use(d.Message); d.Abandon(); } } void Start() => _early = true;",
        "void F(Consumer c) { c.TryRead(out var d); var done = false; if (Ask()) { d.Commit(); Mark(); } if (!done) { Use(d.Message); d.Abandon(); } void Mark() => done = true; }",
        "class Job { public Held D { get; init; } public bool IsDone { get; private set; } public void MarkDone() => IsDone = true; } void F(Job job) { var order = job.D.Message; if (Ask()) { job.D.Commit(); job.MarkDone(); } if (!job.IsDone) { Use(order); job.D.Abandon(); } }",
    ];

    /// <summary>Flags that a program reaches by a reference.</summary>
    public static TheoryData<string> References =>
    [
        "void F(Consumer c) { c.TryRead(out var d); var done = false; ref var same = ref done; if (Ask()) { d.Commit(); same = true; } if (!done) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); var done = false; ref var same = ref done; if (Ask()) { d.Commit(); done = true; } if (!same) { Use(d.Message); d.Abandon(); } }",
        "int _count; void F(Consumer c) { c.TryRead(out var d); ref var count = ref _count; count = 0; if (Ask()) { d.Commit(); count = 1; } if (_count == 0) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c, bool[] all) { c.TryRead(out var d); ref var done = ref all[0]; done = false; if (Ask()) { d.Commit(); done = true; } if (!done) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c, ref bool done) { c.TryRead(out var d); done = false; if (Ask()) { d.Commit(); done = true; } Log(\"\"); if (!done) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c, out bool done) { c.TryRead(out var d); done = false; try { Use(d.Message); d.Commit(); done = true; } finally { if (!done) { d.Abandon(); } } }",
    ];

    /// <summary>Patterns that null does not match.</summary>
    public static TheoryData<string> Patterns =>
    [
        "void F(Consumer c) { c.TryRead(out var d); string? error = null; if (Ask()) { error = \"no\"; } else { d.Commit(); } if (error is { Length: > 0 } text) { Log(text); d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); int[]? found = null; if (Ask()) { found = [1]; } else { d.Commit(); } if (found is [var first, ..]) { Use(first); d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); object? one = null; if (Ask()) { one = \"no\"; } else { d.Commit(); } if (one is string) { d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); object? one = null; if (Ask()) { one = \"no\"; } else { d.Commit(); } if (one is not string text) { return; } Log(text); d.Abandon(); }",
        "void F(Consumer c) { c.TryRead(out var d); string? error = null; if (Ask()) { error = \"no\"; } else { d.Commit(); } var isWrong = error is [_, ..]; if (isWrong) { Use(d.Message); d.Abandon(); } }",
    ];

    /// <summary>Questions whether a text is null, empty or white space.</summary>
    public static TheoryData<string> Empty =>
    [
        "void F(Consumer c) { c.TryRead(out var d); string? error = null; if (Ask()) { error = \"no\"; } else { d.Commit(); } if (!string.IsNullOrEmpty(error)) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); string? error = null; if (Ask()) { error = \"no\"; } else { d.Commit(); } if (!string.IsNullOrWhiteSpace(error)) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); string? error = null; if (Ask()) { error = \"no\"; d.Abandon(); } if (string.IsNullOrEmpty(error)) { d.Commit(); } }",
        "void F(Consumer c) { c.TryRead(out var d); var error = \"\"; if (Ask()) { error = \"no\"; d.Abandon(); } if (string.IsNullOrWhiteSpace(error)) { d.Commit(); } }",
        "void F(Consumer c) { c.TryRead(out var d); var error = \" \"; if (Ask()) { error = \"no\"; } else { d.Commit(); } if (!string.IsNullOrWhiteSpace(error)) { d.Abandon(); } }",
        "void F(Consumer c, string? error) { c.TryRead(out var d); if (string.IsNullOrEmpty(error)) { d.Commit(); } Log(\"\"); if (!string.IsNullOrEmpty(error)) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); string? error = null; if (Ask()) { error = \"no\"; } else { d.Commit(); } var isWrong = !string.IsNullOrEmpty(error); if (isWrong) { Use(d.Message); d.Abandon(); } }",
    ];

    /// <summary>Variables that a program compares twice.</summary>
    public static TheoryData<string> Comparisons =>
    [
        "void F(Consumer c, int n, int limit) { c.TryRead(out var d); if (n < limit) { d.Commit(); } Log(\"\"); if (n >= limit) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c, int n, long limit) { c.TryRead(out var d); if (limit > n) { d.Commit(); } Log(\"\"); if (n == limit) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c, int n, int limit) { c.TryRead(out var d); var isLess = n < limit; if (!(n < limit)) { d.Commit(); } Log(\"\"); if (isLess) { Use(d.Message); d.Abandon(); } }",
        "int _limit; void F(Consumer c, int n) { c.TryRead(out var d); if (n < _limit) { d.Commit(); } Log(\"\"); if (n >= _limit) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c, DateTime due, DateTime now) { c.TryRead(out var d); if (due <= now) { d.Commit(); } Log(\"\"); if (due > now) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c, TimeSpan wait) { c.TryRead(out var d); if (wait == TimeSpan.Zero) { d.Commit(); } Log(\"\"); if (wait != TimeSpan.Zero) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c, decimal part) { c.TryRead(out var d); if (part > 0.5m) { d.Commit(); } Log(\"\"); if (part <= 0.5m) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c, string? name, string? other) { c.TryRead(out var d); if (name == other) { d.Commit(); } Log(\"\"); if (other != name) { Use(d.Message); d.Abandon(); } }",
    ];

    /// <summary>Strings, floating-point numbers and nullable values that a program tests twice.</summary>
    public static TheoryData<string> Values =>
    [
        "void F(Consumer c, string status) { c.TryRead(out var d); if (status == \"ok\") { d.Commit(); } Log(\"\"); if (status != \"ok\") { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c, string status) { c.TryRead(out var d); if (status == \"ok\") { d.Commit(); } Log(\"\"); if (\"bad\" == status) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c, string? status) { c.TryRead(out var d); if (status == \"ok\") { d.Commit(); } Log(\"\"); if (status is null) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c, string status) { c.TryRead(out var d); switch (status) { case \"ok\": d.Commit(); break; case \"bad\": d.Abandon(); break; } Log(\"\"); if (status is not (\"ok\" or \"bad\")) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); var status = \"open\"; if (Ask()) { d.Commit(); status = \"closed\"; } if (status == \"open\") { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c, double part) { c.TryRead(out var d); if (part > 0.5) { d.Commit(); } Log(\"\"); if (part <= 0.5) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c, float part) { c.TryRead(out var d); if (part < -1) { d.Commit(); } Log(\"\"); if (part > 0) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); var part = 0.0; if (Ask()) { d.Commit(); part = 1; } if (part == 0) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c, bool? done) { c.TryRead(out var d); if (done == true) { d.Commit(); } Log(\"\"); if (done != true) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c, bool? done) { c.TryRead(out var d); if (done is true) { d.Commit(); } Log(\"\"); if (done is false or null) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c, int? n) { c.TryRead(out var d); if (n > 3) { d.Commit(); } Log(\"\"); if (!(n > 3)) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c, int? n) { c.TryRead(out var d); if (n > 3) { d.Commit(); } Log(\"\"); if (n == null) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); int? n = 0; if (Ask()) { d.Commit(); n++; } if (n == null) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c, int? step) { c.TryRead(out var d); int? n = 1; if (step == null) { n += step; } if (n == 1) { Log(\"\"); } d.Commit(); }",
        "void F(Consumer c, int n) { c.TryRead(out var d); if (n > 3) { Log(\"\"); } else { d.Commit(); } if (n <= 3) { return; } Use(d.Message); d.Abandon(); }",
        "void F(Consumer c, int n) { c.TryRead(out var d); int? last = null; if (n != 3) { d.Commit(); last = n; } if (last == null) { Use(d.Message); d.Abandon(); } }",
        "void F(Consumer c) { c.TryRead(out var d); State? state = null; if (Ask()) { d.Commit(); state = State.Closed; } if (state != State.Closed) { Use(d.Message); d.Abandon(); } }",
    ];

    /// <summary>Claims, builders, owners, streams and memory.</summary>
    public static TheoryData<string> Others =>
    [
        "void F(MessageProducer p) { using var claim = p.Claim(8); claim.Span.Clear(); claim.Commit(8); }",
        "void F(MessageProducer p, Order order) { using var claim = p.Claim(order.CalculateSize()); claim.Commit(order.Write(claim.Span)); }",
        "void F(MessageProducer p) { if (p.TryClaim(8, out var claim)) { using (claim) { var span = claim.Span; span.Clear(); claim.Commit(8); } } }",
        "void F(MessageProducer p) { using var claim = p.Claim(8); try { claim.Commit(9); } catch (ArgumentOutOfRangeException) { claim.Commit(8); } }",
        "void F(MessageProducer p) { using var batch = p.ClaimBatch(64); while (batch.TryClaim(8, out var bytes)) { bytes[0] = 1; batch.Add(8); } batch.Publish(); }",
        "void F(MessageProducer<Order> p) { for (var i = 0; i < 9; i++) { using var claim = p.Claim<OrderBufferedMessageWriter>(100); var writer = claim.Message; writer.Id = i; claim.Commit(); } }",
        "void F(Stream target) { var array = ArrayPool<byte>.Shared.Rent(99); using var builder = new MessageBuilder<OrderBufferedMessageWriter>(array); var writer = builder.Message; writer.Id = 1; target.Write(array, 0, builder.Finish()); ArrayPool<byte>.Shared.Return(array); }",
        "int F(byte[] room) { using var builder = new MessageBuilder<OrderBufferedMessageWriter>(room); var writer = builder.Message; writer.Id = 1; var size = builder.Finish(); Use(BufferedMessage.Create<View>(room.AsSpan(0, size))); return size; }",
        "string? F(string path) { using var owner = BufferedMessage.Load<View>(path); var order = owner.Message; return order.Note; }",
        "async Task<int> F(string path) { using var owner = await BufferedMessage.LoadAsync<View>(path); var id = owner.Message.Id; await Task.Yield(); return id + owner.Message.Id; }",
        "void F(string path) { var owner = BufferedMessage.Load<View>(path); Use(owner.Message); owner.Dispose(); owner = BufferedMessage.Load<View>(path); Use(owner.Message); owner.Dispose(); }",
        "void F(string path) { Owner? last = null; for (var i = 0; i < 9; i++) { var owner = BufferedMessage.Load<View>(path); last?.Dispose(); Use(owner.Message); last = owner; } last?.Dispose(); }",
        "void F(PooledStream s) { var owner = s.DetachMessage<View>(); s.Dispose(); Use(owner.Message); owner.Dispose(); }",
        "void F() { using var s = BufferPool.Shared.GetStream(); var room = s.GetSpan(9); room[0] = 1; s.Advance(9); }",
        "void F(Order source) { var array = ArrayPool<byte>.Shared.Rent(source.CalculateSize()); try { source.Write(array); var order = BufferedMessage.Create<View>(array); Use(order); } finally { ArrayPool<byte>.Shared.Return(array); } }",
        "void F() { var array = ArrayPool<byte>.Shared.Rent(9); var span = array.AsSpan(); ArrayPool<byte>.Shared.Return(array); Use(span.Length); }",
        "void F(byte[] a, byte[] b) { var order = BufferedMessage.Create<View>(a); ArrayPool<byte>.Shared.Return(b); Use(order); ArrayPool<byte>.Shared.Return(a); }",
        "void F(byte[] key) { var order = Find(key); ArrayPool<byte>.Shared.Return(key); Use(order); } View Find(byte[] key) => default;",
        "Order F() { using var owner = MemoryPool<byte>.Shared.Rent(9); return BufferedMessage.Create<View>(owner.Memory.Span).ToOrder(); }",
        "void F(int n) { byte[]? rented = null; Span<byte> room = n > 99 ? (rented = ArrayPool<byte>.Shared.Rent(n)) : stackalloc byte[99]; Use(BufferedMessage.Create<View>(room)); if (rented is not null) { ArrayPool<byte>.Shared.Return(rented); } }",
    ];

    [Theory]
    [MemberData(nameof(Deliveries))]
    [MemberData(nameof(Conditions))]
    [MemberData(nameof(Flags))]
    [MemberData(nameof(FlagsOfCalledCode))]
    [MemberData(nameof(Comparisons))]
    [MemberData(nameof(Patterns))]
    [MemberData(nameof(Empty))]
    [MemberData(nameof(References))]
    [MemberData(nameof(DerivedFlags))]
    [MemberData(nameof(Values))]
    [MemberData(nameof(Others))]
    public Task A_right_use_is_accepted(string member) => new LifetimeSource(member).RequireNone();

    /// <summary>Four deliveries that are each committed or not have sixteen outcomes, which are more than the rule tells apart.</summary>
    [Fact]
    public Task More_outcomes_than_the_rule_tells_apart_are_accepted() => new LifetimeSource(WithOutcomes("", "", "")).RequireNone();

    /// <summary>More texts or numbers than the rule tells apart are one outcome if they are tested only for null.</summary>
    [Theory]
    [InlineData("string?", "\"")]
    [InlineData("int?", "")]
    public Task Values_that_are_tested_only_for_null_are_one_outcome(string type, string quote)
    {
        var cases = string.Concat(Enumerable.Range(1, 9).Select(i => $"case {i}: error = {quote}{i}{quote}; break; "));

        return new LifetimeSource($"void F(Consumer c, int n) {{ c.TryRead(out var d); var ok = false; {type} error = null; switch (n) {{ case 0: ok = true; break; {cases} }} if (ok) {{ d.Commit(); }} if (error != null) {{ d.Abandon(); }} }}").RequireNone();
    }

    [Theory]
    [InlineData("c.TryRead(out var d); var order = d.Message; d.Commit();", "", "Use([|order|]);")]
    [InlineData("", "", "c.TryRead(out var d); var order = d.Message; d.Commit(); Use([|order|]);")]
    [InlineData("c.TryRead(out var d); var order = d.Message;", "d.Commit();", "Use([|order|]);")]
    public async Task What_is_the_same_in_all_outcomes_is_still_found(string before, string between, string after) =>
        await new LifetimeSource(WithOutcomes(before, between, after)).RequireOne("BMSG0060");

    private static string WithOutcomes(string before, string between, string after)
    {
        var ends = string.Concat(Enumerable.Range(0, 4).Select(static i => $"c{i}.TryRead(out var d{i}); var done{i} = false; if (Ask()) {{ d{i}.Commit(); done{i} = true; }} "));
        var uses = string.Concat(Enumerable.Range(0, 4).Select(static i => $"if (!done{i}) {{ Use(d{i}.Message); d{i}.Abandon(); }} "));
        return $"void F(Consumer c, Consumer c0, Consumer c1, Consumer c2, Consumer c3) {{ {before} {ends} {between} {uses} {after} }}";
    }
}
