using System.Globalization;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Tests.Lifetimes;

/// <summary>Each message names the use, the event before it, the consequence and the remedy.</summary>
public sealed class LifetimeMessageTests
{
    [Theory]
    [InlineData(
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; d.Commit(); Use(order); }",
        "'order' is used after 'd' was closed, when its bytes may be gone or belong to another message; use it before 'd.Commit', or copy what you need")]
    [InlineData(
        "void F(Consumer c) { c.TryRead(out var d); d.Commit(); Use(d.Message.Note); }",
        "'d.Message' is used after 'd' was closed, which throws an exception; use it before 'd.Commit', or copy what you need")]
    [InlineData(
        "void F(Consumer c) { c.TryRead(out var d); d.Commit(); d.Abandon(); }",
        "'d.Abandon()' is called after 'd' was closed, which throws an exception; call it before 'd.Commit', or call Dispose, which can be called twice")]
    [InlineData(
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; using (d) { } Use(order); }",
        "'order' is used after 'd' was disposed, when its bytes may be gone or belong to another message; use it before the end of the 'using' of 'd', or copy what you need")]
    [InlineData(
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; c.TryRead(out var e); Use(order); e.Commit(); d.Dispose(); }",
        "'order' is used after 'c' advanced, when its bytes may be gone or belong to another message; use it before 'c.TryRead', or copy what you need")]
    [InlineData(
        "void F(Consumer c) { c.TryRead(out var d); var order = d.Message; c.CommitThrough(d.Position); Use(order); }",
        "'order' is used after its message was committed, when its bytes may be gone or belong to another message; use it before 'c.CommitThrough', or copy what you need")]
    [InlineData(
        "void F(Consumer c) { Held last = default; foreach (var d in c.ReadAll()) { last = d; break; } Use(last.Message); }",
        "'last.Message' is used after the loop over 'c.ReadAll()' ended, which throws an exception; use it before the loop ends, or copy what you need")]
    [InlineData(
        "void F(Consumer c) { Held last = default; foreach (var d in c.ReadAll()) { Use(last.Message); last = d; } }",
        "'last.Message' is used after the loop over 'c.ReadAll()' advanced, which throws an exception; use it before the loop advances, or copy what you need")]
    [InlineData(
        "void F() { var array = ArrayPool<byte>.Shared.Rent(9); var order = BufferedMessage.Create<View>(array); ArrayPool<byte>.Shared.Return(array); Use(order); }",
        "'order' is used after 'array' was returned to its pool, when its bytes may be in use elsewhere; use it before 'ArrayPool<byte>.Shared.Return', or copy what you need")]
    [InlineData(
        "View F() { using var owner = MemoryPool<byte>.Shared.Rent(9); return BufferedMessage.Create<View>(owner.Memory.Span); }",
        "'BufferedMessage.Create<View>(owner.Memory.Span)' is returned after 'owner' was disposed, when its bytes may be in use elsewhere; copy what you need before that")]
    [InlineData(
        "Held _d; View F() => _d.Message;",
        "'_d.Message' is kept, but '_d' is in a field, in an array or behind a reference, so the compiler lets the view outlive its bytes; copy '_d' to a local, and take the view from it")]
    [InlineData(
        "View F(Held d) => d is { Message: var order } ? order : default;",
        "'Message' is kept, but a pattern takes it from 'd', so the compiler lets the view outlive its bytes; copy what you need")]
    public async Task An_error_says_what_is_wrong(string member, string message)
    {
        var problem = Assert.Single(await new LifetimeSource(member).Problems());

        Assert.Equal(message, problem.GetMessage(CultureInfo.InvariantCulture));
        Assert.Equal(DiagnosticSeverity.Error, problem.Severity);
    }

    [Theory]
    [InlineData("void F(MessageProducer p) { var claim = p.Claim(8); claim.Commit(8); }", "'claim' is not disposed, so an exception would leave it open and hold up the messages of all producers; declare it with using")]
    [InlineData("void F(Consumer c) { if (c.TryRead(out var d)) { Use(d.Message); } }", "'d' is not disposed, so its message is neither committed nor abandoned; commit it, or put it into a using statement")]
    [InlineData("void F(MessageProducer p) { p.TryClaim(8, out _); }", "The result of this call is not disposed, so an exception would leave it open and hold up the messages of all producers; declare it with using")]
    [InlineData("void F(MessageProducer p) { p.Claim(8); }", "The result of this call is not disposed, so an exception would leave it open and hold up the messages of all producers; declare it with using")]
    public async Task A_warning_says_what_is_wrong(string member, string message)
    {
        var problem = Assert.Single(await new LifetimeSource(member).Problems());

        Assert.Equal(message, problem.GetMessage(CultureInfo.InvariantCulture));
        Assert.Equal(DiagnosticSeverity.Warning, problem.Severity);
    }
}
