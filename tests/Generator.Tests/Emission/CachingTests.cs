using System.Collections;
using System.Reflection;
using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Xunit.Abstractions;

namespace BufferedMessages.Generator.Tests;

/// <summary>After an edit the generator repeats only the steps that the edit affects.</summary>
public sealed class CachingTests(ITestOutputHelper output)
{
    private const string Order = "namespace Shop; [BufferedMessageSource] public partial class Order { public int Id { get; set; } public Line? Line { get; set; } }";
    private const string Line = "namespace Shop; [BufferedMessageSource] public partial class Line : IPart { public string? Sku { get; set; } }";
    private const string Part = "namespace Shop; [BufferedMessageUnion] [BufferedCase<Line>(1)] public partial interface IPart;";
    private const string Unrelated = "namespace Shop; public class Unrelated { public int Value; }";

    private static readonly string[] Steps = [GeneratorStep.Language, GeneratorStep.Parse, GeneratorStep.Plan, GeneratorStep.Emit, GeneratorStep.ParseUnion, GeneratorStep.EmitUnion];

    [Fact]
    public void A_second_run_does_nothing()
    {
        var (driver, project) = FirstRun();

        var result = Run(ref driver, project.Compilation);

        Assert.All(ReasonsOf(result), static reason => Assert.True(IsUnchanged(reason)));
    }

    [Fact]
    public void An_unrelated_edit_generates_nothing()
    {
        var (driver, project) = FirstRun();

        var result = Run(ref driver, Edit(project, "Unrelated.cs", Unrelated.Replace("Value", "Other", StringComparison.Ordinal)));

        Assert.All(ReasonsOf(result), static reason => Assert.True(IsUnchanged(reason)));
    }

    [Fact]
    public void An_edit_of_a_body_or_a_comment_generates_nothing()
    {
        var (driver, project) = FirstRun();

        var result = Run(ref driver, Edit(project, "Order.cs", Order.Replace("{ public int", "{ /* comment */ public void Method() { } public int", StringComparison.Ordinal)));

        Assert.All(ReasonsOf(result), static reason => Assert.True(IsUnchanged(reason)));
    }

    [Fact]
    public void A_new_member_generates_its_type_again_and_no_other()
    {
        var (driver, project) = FirstRun();

        var result = Run(ref driver, Edit(project, "Line.cs", Line.Replace("{ public", "{ public int Count { get; set; } public", StringComparison.Ordinal)));

        Assert.Equal(
            [IncrementalStepRunReason.Modified, IncrementalStepRunReason.Cached],
            ReasonsOf(result, GeneratorStep.Emit).OrderByDescending(static reason => reason == IncrementalStepRunReason.Modified));
        Assert.All(ReasonsOf(result, GeneratorStep.EmitUnion), static reason => Assert.True(IsUnchanged(reason)));
    }

    [Fact]
    public void An_edit_of_a_type_parses_it_and_those_that_mention_it_and_no_other()
    {
        string[] files = [.. Enumerable.Range(0, 5).Select(static i => $"namespace Shop; [BufferedMessageSource] public partial class M{i} {{ public int Id {{ get; set; }} {(i == 0 ? "" : $"public M{i - 1}? Previous {{ get; set; }}")} }}")];
        var project = SourceProject.Of(files.Select(static (text, i) => new SourceFile($"M{i}.cs", text)));
        GeneratorDriver driver = Driver(project);
        Run(ref driver, project.Compilation);

        var result = Run(ref driver, Edit(project, "M2.cs", files[2].Replace("int Id", "long Id", StringComparison.Ordinal)));

        Assert.Equal(
            [IncrementalStepRunReason.Cached, IncrementalStepRunReason.Cached, IncrementalStepRunReason.Modified, IncrementalStepRunReason.Unchanged, IncrementalStepRunReason.Cached],
            ReasonsOf(result, GeneratorStep.Parse));
        Assert.Equal(
            [IncrementalStepRunReason.Cached, IncrementalStepRunReason.Cached, IncrementalStepRunReason.Modified, IncrementalStepRunReason.Cached, IncrementalStepRunReason.Cached],
            ReasonsOf(result, GeneratorStep.Emit));
    }

    [Fact]
    public void An_unrelated_edit_parses_nothing()
    {
        var (driver, project) = FirstRun();

        var result = Run(ref driver, Edit(project, "Unrelated.cs", Unrelated.Replace("int Value", "Order? Value", StringComparison.Ordinal)));

        Assert.All(ReasonsOf(result, GeneratorStep.Parse).Concat(ReasonsOf(result, GeneratorStep.ParseUnion)), static reason => Assert.Equal(IncrementalStepRunReason.Cached, reason));
    }

    [Fact]
    public void A_reserved_number_generates_its_union_again_and_no_message()
    {
        var (driver, project) = FirstRun();

        var result = Run(ref driver, Edit(project, "Part.cs", Part.Replace("[BufferedCase", "[BufferedReserved(2)] [BufferedCase", StringComparison.Ordinal)));

        Assert.Equal([IncrementalStepRunReason.Modified], ReasonsOf(result, GeneratorStep.EmitUnion));
        Assert.All(ReasonsOf(result, GeneratorStep.Emit), static reason => Assert.True(IsUnchanged(reason)));
    }

    [Fact]
    public void No_output_of_a_step_holds_an_object_of_the_compiler()
    {
        foreach (var feature in Features.All)
        {
            var project = Features.Project(feature);
            GeneratorDriver driver = Driver(project);
            var result = Run(ref driver, project.Compilation);
            var outputs = Steps.SelectMany(step => result.TrackedSteps.GetValueOrDefault(step, [])).SelectMany(static step => step.Outputs).ToList();

            Assert.NotEmpty(outputs);
            Assert.All(outputs, static item => RequireOwnObjects(item.Value, [], nameof(item)));
        }
    }

    [Fact]
    public void A_hundred_messages_are_generated_once()
    {
        var files = Enumerable.Range(0, 100).Select(static i => new SourceFile(
            $"Message{i}.cs",
            $$"""
            namespace Shop;

            [BufferedMessageSource]
            public partial class Message{{i}}
            {
                /// <summary>The key.</summary>
                public Guid Id { get; init; }
                public string Name { get; init; } = "";
                public string? Note { get; set; }
                public DateTime Created { get; set; }
                public decimal? Price { get; set; }
                public List<string> Tags { get; init; } = [];
                public List<Message{{(i + 1) % 100}}> Children { get; init; } = [];
                public int[]? Scores { get; set; }
                public Message{{(i + 7) % 100}}? Parent { get; set; }
                public double Rating { get; set; }
            }
            """)).Append(new SourceFile("Unrelated.cs", Unrelated));
        var project = SourceProject.Of(files);
        GeneratorDriver driver = Driver(project);
        var first = Run(ref driver, project.Compilation);
        output.WriteLine($"first run, with the compiler's own start: {driver.GetTimingInfo().ElapsedTime.TotalMilliseconds:F0} ms");

        GeneratorDriver second = Driver(project);
        Run(ref second, project.Compilation.Clone());
        output.WriteLine($"a new driver in a warm compiler: {second.GetTimingInfo().ElapsedTime.TotalMilliseconds:F0} ms");

        var result = Run(ref driver, Edit(project, "Unrelated.cs", Unrelated.Replace("Value", "Other", StringComparison.Ordinal)));
        output.WriteLine($"after an unrelated edit: {driver.GetTimingInfo().ElapsedTime.TotalMilliseconds:F0} ms");

        Assert.Equal(100, first.GeneratedSources.Length);
        Assert.All(ReasonsOf(result), static reason => Assert.True(IsUnchanged(reason)));
    }

    private static (GeneratorDriver Driver, SourceProject Project) FirstRun()
    {
        var project = SourceProject.Of([new("Order.cs", Order), new("Line.cs", Line), new("Part.cs", Part), new("Unrelated.cs", Unrelated)]);
        GeneratorDriver driver = Driver(project);
        Run(ref driver, project.Compilation);
        return (driver, project);
    }

    private static CSharpGeneratorDriver Driver(SourceProject project) => CSharpGeneratorDriver.Create(
        [new BufferedMessageGenerator().AsSourceGenerator()],
        parseOptions: project.ParseOptions,
        driverOptions: new GeneratorDriverOptions(IncrementalGeneratorOutputKind.None, trackIncrementalGeneratorSteps: true));

    private static GeneratorRunResult Run(ref GeneratorDriver driver, Compilation compilation)
    {
        driver = driver.RunGenerators(compilation);
        var result = Assert.Single(driver.GetRunResult().Results);
        Assert.Null(result.Exception);
        return result;
    }

    private static CSharpCompilation Edit(SourceProject project, string path, string text) =>
        project.Compilation.ReplaceSyntaxTree(
            project.Compilation.SyntaxTrees.Single(tree => tree.FilePath == path),
            project.Parse(new SourceFile(path, text)));

    private static IEnumerable<IncrementalStepRunReason> ReasonsOf(GeneratorRunResult result) =>
        Steps.Where(result.TrackedSteps.ContainsKey).SelectMany(step => ReasonsOf(result, step));

    private static List<IncrementalStepRunReason> ReasonsOf(GeneratorRunResult result, string step)
    {
        List<IncrementalStepRunReason> reasons = [.. result.TrackedSteps[step].SelectMany(static run => run.Outputs).Select(static item => item.Reason)];
        Assert.NotEmpty(reasons);
        return reasons;
    }

    private static bool IsUnchanged(IncrementalStepRunReason reason) => reason is IncrementalStepRunReason.Cached or IncrementalStepRunReason.Unchanged;

    private static void RequireOwnObjects(object? value, HashSet<object> seen, string path)
    {
        if (value is null or string || value.GetType().IsPrimitive || value.GetType().IsEnum || !seen.Add(value))
        {
            return;
        }

        Assert.False(
            value.GetType().Assembly.GetName().Name!.StartsWith("Microsoft.CodeAnalysis", StringComparison.Ordinal),
            $"{path} is a {value.GetType()}");
        if (value is IEnumerable items)
        {
            foreach (var item in items)
            {
                RequireOwnObjects(item, seen, path + "[]");
            }
        }

        foreach (var field in value.GetType().GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic))
        {
            RequireOwnObjects(field.GetValue(value), seen, path + "." + field.Name);
        }
    }
}
