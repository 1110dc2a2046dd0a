using BufferedMessages.Generator.Analysis;
using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BufferedMessages.Generator.Tests.Lifetimes;

/// <summary>Deliveries, owners and consumers that a program reaches by a path, as in <c>job.Delivery</c>: their views end with them.</summary>
public sealed class PathTests
{
    public static TheoryData<string> Late =>
    [
        "struct Job { public Held D; } void F(Job job) { var order = job.D.Message; job.D.Commit(); Use([|order|]); }",
        "record Job(Held D); void F(Job job) { var order = job.D.Message; job.D.Commit(); Use([|order|]); }",
        "class Job { public Held D { get; set; } } void F(Job job) { var note = job.D.Message.Note; job.D.Abandon(); Use([|note|]); }",
        "void F((Held D, int N) pair) { var order = pair.D.Message; pair.Item1.Commit(); Use([|order|]); }",
        "record Job(Held D); record Work(Job Job); void F(Work work) { var order = work.Job.D.Message; work.Job.D.Commit(); Use([|order|]); }",
        "record Job(Held D); readonly Job _job = null!; void F() { var order = _job.D.Message; _job.D.Commit(); Use([|order|]); }",
        "record Job(Held D); void F(Job? job) { if (job is null) { return; } var order = job.D.Message; job?.D.Commit(); Use([|order|]); }",
        "record Job(Held D); void F(Job job) { var order = job.D.Message; using (job.D) { } Use([|order|]); }",
        "record Job(Held D); void F(Job job) { var d = job.D; var order = d.Message; job.D.Commit(); Use([|order|]); }",
        "record Job(Held D); void F(Job job) { var d = job.D; var order = job.D.Message; d.Commit(); Use([|order|]); }",
        "class Job { public Held D { get; set; } } void F(Job job) { var d = job.D; Log(\"\"); var order = d.Message; d.Commit(); Use([|order|]); }",
        "struct Job { public Held D; } void F(Job job, Consumer c) { c.TryRead(out job.D); var order = job.D.Message; c.TryRead(out var next); Use([|order|]); next.Dispose(); }",
        "class Job { public Held D; } void F(Job job, Held next) { job.D = next; var order = next.Message; job.D.Commit(); Use([|order|]); }",
        "record Job(Held D); void F(List<Job> jobs) { foreach (var job in jobs) { var order = job.D.Message; job.D.Commit(); Use([|order|]); } }",
        "record Job(Held D); void F(Job job) { if (job is { D.Message: var order }) { job.D.Commit(); Use([|order|]); } }",
        "record Job(Held D); void F(Job job) { if (job is { D: { Message: var order } d }) { d.Commit(); Use([|order|]); } }",
        "record Job(Held D); void F(Job job) { switch (job) { case { D: { Message.Note: var note } }: job.D.Commit(); Use([|note|]); break; } }",
        "record Job(Held D); void F(Job job) { var order = job.D.Message; if (job is { D: { Message.Id: 3 } }) { Log(\"\"); } job.D.Commit(); Use([|order|]); }",
        "record Job(Held D) { public bool IsDone { get; set; } } void F(Job job, Job same) { var order = job.D.Message; job.IsDone = true; same.IsDone = false; job.D.Commit(); if (!job.IsDone) { Use([|order|]); } }",
        "record Job(Held D) { public State State { get; set; } } void F(Job job) { var order = job.D.Message; job.State = State.Open; if (Ask()) { job.D.Commit(); job.State = State.Closed; } if (job.State > State.Open) { Use([|order|]); } }",
        "record Job(Consumer C); void F(Job job) { job.C.TryRead(out var d); var order = d.Message; job.C.TryRead(out var next); Use([|order|]); d.Dispose(); next.Dispose(); }",
        "record Job(Owner Owner); void F(Job job) { var order = job.Owner.Message; job.Owner.Dispose(); Use([|order|]); }",
        "record Job(PooledStream S); void F(Job job) { var message = job.S.ReadMessage<View>(); var order = message.Message; job.S.SetLength(0); Use([|order|]); }",
    ];

    /// <summary>Correct use. An object that has a delivery may also be done with it by a condition that the rule does not follow.</summary>
    public static TheoryData<string> Fine =>
    [
        "record Job(Held D); void F(List<Job> jobs) { foreach (var job in jobs) { var order = job.D.Message; Use(order); job.D.Commit(); } }",
        "record Job(Held D); void F(Queue<Job> jobs) { while (jobs.TryDequeue(out var job)) { var order = job.D.Message; Use(order); job.D.Commit(); } }",
        "record Job(Held D); void F(object[] all) { foreach (var one in all) { if (one is Job job) { scoped var order = job.D.Message; Use(order); job.D.Commit(); } } }",
        "record Job(Held D); void F(Job job, Job next) { job.D.Commit(); job = next; var order = job.D.Message; Use(order); job.D.Commit(); }",
        "record Job(Held D); void F(Job job, Job next) { var order = next.D.Message; job.D.Commit(); Use(order); next.D.Commit(); }",
        "record Job(Held D); void F(Job job, Job next) { scoped var order = job.D.Message; job = next; job.D.Commit(); Use(order); }",
        "record Job(Held D, Job Next); void F(Job job) { var order = job.D.Message; job.Next.D.Commit(); Use(order); job.D.Commit(); }",
        "record Job(Held D); void F(Job? job) { try { if (job is not null) { var order = job.D.Message; Use(order); job.D.Commit(); } } finally { job?.D.Dispose(); } }",
        "record Job(Held D); void F(Job job) { if (job is { D: { Message: var order } d }) { Use(order); d.Commit(); } else { job.D.Abandon(); } }",
        "record Job(Held D); void F((Job A, Job B) pair) { if (pair is ({ D: var a }, { D: var b })) { var order = a.Message; b.Commit(); Use(order); a.Commit(); } }",
        "void F((Held A, Held B) pair) { var order = pair.A.Message; pair.B.Commit(); Use(order); pair.A.Commit(); }",
        "struct Job { public Held D; } void F(Job job, Consumer c) { Use(job.D.Message); job.D.Commit(); c.TryRead(out job.D); var order = job.D.Message; Use(order); job.D.Commit(); }",
        "struct Job { public Held D; } void F(Job job, Held next) { scoped var order = job.D.Message; job.D = next; job.D.Commit(); Use(order); }",
        "struct Job { public Held D; } void F(Job job, Held next) { scoped var order = job.D.Message; (job.D, _) = (next, 1); job.D.Commit(); Use(order); }",
        "struct Job { public Held D; } void F(Job job, Held next) { scoped var order = job.D.Message; Swap(ref job); job.D.Commit(); Use(order); void Swap(ref Job one) => one.D = next; }",
        "struct Job { public Held D; } void F(Job job, Held next) { scoped var order = job.D.Message; Swap(); job.D.Commit(); Use(order); void Swap() => job.D = next; }",
        "struct Job { public Held D; public void Swap(Held next) => D = next; } void F(Job job, Held next) { scoped var order = job.D.Message; job.Swap(next); job.D.Commit(); Use(order); }",
        "record struct Job(Held D); void F(Job job, Held next) { var other = job with { D = next }; var order = job.D.Message; next.Commit(); Use(order); job.D.Commit(); Log(other.ToString()); }",
        "struct Work { public Job Job; } struct Job { public Held D; public void Swap(Held next) => D = next; } void F(Work work, Held next) { var old = work.Job.D; work.Job.Swap(next); work.Job.D.Commit(); Use(old.Message); old.Commit(); }",
        "struct Job { public Held D; } void F(Job job, Held next) { ref var d = ref job.D; var old = d; d = next; job.D.Commit(); Use(old.Message); old.Commit(); }",
        "struct Job { public Held D; } void F(Job job, Held next) { ref var same = ref job; var old = job.D; same.D = next; job.D.Commit(); Use(old.Message); old.Commit(); }",
        "class Job { public Held D { get; set; } } void F(Job job, Job other, Held next) { var old = job.D; other.D = next; job.D.Commit(); Use(old.Message); old.Commit(); }",
        "class Job { public Held D { get; set; } } void F(Job job, Held next) { var old = job.D; var same = new Job { D = next }; job.D.Commit(); Use(old.Message); old.Commit(); same.D.Commit(); }",
        "class Job { public Held D { get; set; } public void Next(Held next) => D = next; } void F(Job job, Held next) { var old = job.D; job.Next(next); job.D.Commit(); Use(old.Message); old.Commit(); }",
        "class Job : IDisposable { public Held D { get; set; } public void Dispose() => D = default; } void F(Job job, Held next) { var old = job.D; ((IDisposable)job).Dispose(); job.D = next; job.D.Commit(); Use(old.Message); old.Commit(); }",
        "class Work { public Job Job { get; set; } = null!; } record Job(Held D); void F(Work work, Job next) { var old = work.Job.D; work.Job = next; work.Job.D.Commit(); Use(old.Message); old.Commit(); }",
        "class Job { public Held D { get; set; } public void Next(Held next) => D = next; } View Of(in Held d) => d.Message; void F(Job job, Held next) { var old = job.D; var order = Of(job.D); job.Next(next); job.D.Commit(); Use(order); old.Commit(); }",
        "class Job { public Held D; public ref Held Slot() => ref D; } void F(Job job, Held next) { ref var slot = ref job.Slot(); var old = job.D; slot = next; job.D.Commit(); Use(old.Message); old.Commit(); }",
        "class Job { public virtual Held D { get; set; } } void F(Job job) { var old = job.D; job.D.Commit(); Use(old.Message); }",
        "class Job { public Held D { get; set; } public bool IsDone { get; set; } } void F(Job job) { Use(job.D.Message); if (Ask()) { job.D.Commit(); job.IsDone = true; } if (!job.IsDone) { job.D.Abandon(); } }",
        "class Job(Held d) { public Held D { get; } = d; public bool IsDone { get; set; } } void F(Job job) { try { Use(job.D.Message); job.D.Commit(); job.IsDone = true; } finally { if (!job.IsDone) { job.D.Abandon(); } } }",
        "record Job(Held D) { public bool IsDone { get; set; } } void F(Job job) { var order = job.D.Message; if (Ask()) { job.D.Commit(); job.IsDone = true; } if (!job.IsDone) { Use(order); job.D.Abandon(); } }",
        "record Job(Held D) { public bool IsDone { get; set; } } void F(Job job) { var order = job.D.Message; try { Use(order); job.D.Commit(); job.IsDone = true; } finally { if (!job.IsDone) { Use(order); job.D.Abandon(); } } }",
        "class Job { public Held D { get; init; } public bool IsDone { get; set; } public void Save() => Log(\"\"); } void F(Job job) { var order = job.D.Message; if (Ask()) { job.D.Commit(); job.IsDone = true; job.Save(); } if (!job.IsDone) { Use(order); job.D.Abandon(); } }",
        "record Job(Held D) { public State State { get; set; } } void F(Job job) { var order = job.D.Message; if (Ask()) { job.D.Commit(); job.State = State.Closed; } if (job.State != State.Closed) { Use(order); job.D.Abandon(); } }",
        "record Job(Held D, State State); void F(Job job) { var order = job.D.Message; if (job.State == State.Open) { job.D.Commit(); } Log(\"\"); switch (job.State) { case State.Waiting: Use(order); job.D.Commit(); break; } }",
        "async Task F(Dictionary<int, Held> open) { foreach (var pair in open) { Use(pair.Value.Message); await Task.Yield(); Use(pair.Value.Message.Id); pair.Value.Commit(); } }",
        "record Job(Consumer C); void F(Job job) { while (job.C.TryRead(out var d)) { var order = d.Message; Use(order); d.Commit(); } }",
        "record Job(Consumer C); void F(Job one, Job two) { one.C.TryRead(out var d); two.C.TryRead(out var e); var order = d.Message; e.Commit(); Use(order); d.Commit(); }",
        "record Job(byte[] Room); void F(Job job) { var order = BufferedMessage.Create<View>(job.Room); Use(order); ArrayPool<byte>.Shared.Return(job.Room); }",
        "class Job { public byte[] Room = []; } void F(Job job) { ArrayPool<byte>.Shared.Return(job.Room); job.Room = ArrayPool<byte>.Shared.Rent(9); var order = BufferedMessage.Create<View>(job.Room); Use(order); }",
    ];

    [Theory]
    [MemberData(nameof(Late))]
    public async Task A_view_of_a_delivery_at_the_end_of_a_path_is_refused_after_its_end(string member) => await new LifetimeSource(member).RequireOne("BMSG0060");

    [Theory]
    [MemberData(nameof(Fine))]
    public Task Correct_use_of_a_path_is_accepted(string member) => new LifetimeSource(member).RequireNone();

    [Fact]
    public async Task Memory_at_the_end_of_a_path_ends_when_it_is_returned() =>
        await new LifetimeSource("record Job(byte[] Room); void F(Job job) { var order = BufferedMessage.Create<View>(job.Room); ArrayPool<byte>.Shared.Return(job.Room); Use([|order|]); }").RequireOne("BMSG0063");

    [Theory]
    [InlineData("public Held D { get { c.TryRead(out field); return field; } }", "var old = job.D; job.D.Commit(); Use(old.Message); old.Commit();")]
    [InlineData("Held _d; public bool IsNext { get; set { field = value; c.TryRead(out _d); } } public void Run() { _d.Commit(); IsNext = true; Program.Use(_d.Message); _d.Commit(); }", "job.Run();")]
    public async Task A_property_whose_accessor_has_code_may_change_deliveries(string members, string body)
    {
        var project = SourceProject.Of(
            $$"""
            using View = OrderBufferedMessage; using Held = BufferedMessages.Delivery<OrderBufferedMessage>; using Consumer = BufferedMessages.MessageConsumer<OrderBufferedMessage>;
            [BufferedMessageSource] public partial class Order { public int Id { get; set; } }
            public class Job(Consumer c) { {{members}} }
            public static class Program { private static int _seen; public static void F(Job job) { {{body}} } public static void Use(View order) => _seen += order.Id; }
            """,
            new ProjectOptions { LanguageVersion = LanguageVersion.Preview }).Generate();
        Assert.DoesNotContain(project.Compilation.GetDiagnostics(), static problem => problem.Severity == DiagnosticSeverity.Error);
        Assert.Empty(await AnalyzerTests.Analyze(project.Compilation, layoutFile: null, new LifetimeAnalyzer()));
    }
}
