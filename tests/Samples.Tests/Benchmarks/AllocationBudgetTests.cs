using System.Diagnostics;
using System.Reflection;
using System.Text.Json;
using BenchmarkDotNet.Attributes;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Benchmarks;

/// <summary>What an operation of ours may allocate is written down, and held by the committed results and by the operations themselves.</summary>
public class AllocationBudgetTests
{
    private const int WarmUps = 3;
    private const int Rounds = 5;

    // A measurement allocates a little itself, and slow operations are few in an iteration that share it. The operations themselves are held to their budgets exactly, below.
    private const int BytesOfMeasuring = 16;

    // Its operations run on other threads, which are not counted.
    private const string OnThreads = "StreamThreadsBenchmarks";

    // An operation that takes long is warmed up less often: what the runtime allocates on its own account is little beside it.
    private static readonly TimeSpan Enough = TimeSpan.FromSeconds(1);

    public static TheoryData<string> Results { get; } =
    [
        .. Directory.GetFiles(Repository.PathOf("benchmarks/results"), "*.json").Where(IsOfBenchmarks).Select(file => Path.GetFileName(file)),
    ];

    public static TheoryData<string> Classes { get; } = [.. BenchmarkClasses().Select(type => type.FullName!).Where(name => !name.EndsWith(OnThreads, StringComparison.Ordinal))];

    [Theory]
    [MemberData(nameof(Results))]
    public void Committed_results_are_within_the_budgets(string file)
    {
        using var run = JsonDocument.Parse(Repository.Read($"benchmarks/results/{file}"));

        var ours = run.RootElement.GetProperty("results").EnumerateArray().Where(result => result.GetProperty("library").GetString() == AllocationBudgets.Ours).ToList();

        Assert.NotEmpty(ours);
        Assert.All(ours, result =>
        {
            var name = $"{result.GetProperty("scenario").GetString()} {result.GetProperty("operation").GetString()}";
            var budget = BudgetOf(name);
            Assert.InRange(result.GetProperty("allocated_bytes").GetInt64(), 0, budget == 0 ? 0 : budget + BytesOfMeasuring);
        });
    }

    [Theory]
    [MemberData(nameof(Classes))]
    public void Operations_are_within_their_budgets(string className)
    {
        var type = BenchmarkClasses().Single(type => type.FullName == className);
        foreach (var benchmarks in Instances(type))
        {
            foreach (var operation in OperationsOf(type))
            {
                var name = $"{ScenarioOf(type)} {operation.Name.Split('_')[0]}";
                var budget = BudgetOf(name);
                var allocated = FewestBytes(benchmarks, operation, budget);

                Assert.True(allocated <= budget, $"{name} allocates {allocated} bytes; its budget in {AllocationBudgets.Path} is {budget}.");
            }

            (benchmarks as IDisposable)?.Dispose();
        }
    }

    [Fact]
    public void Every_budget_is_about_an_operation()
    {
        var operations = BenchmarkClasses().SelectMany(type => OperationsOf(type).Select(operation => $"{ScenarioOf(type)} {operation.Name.Split('_')[0]}"));

        Assert.Equal(operations.Order(StringComparer.Ordinal), AllocationBudgets.All.Keys.Order(StringComparer.Ordinal));
    }

    // Sessions between processes are a list without a run around it.
    private static bool IsOfBenchmarks(string file)
    {
        using var json = JsonDocument.Parse(File.ReadAllText(file));
        return json.RootElement.ValueKind == JsonValueKind.Object && json.RootElement.GetProperty("results")[0].TryGetProperty("scenario", out _);
    }

    private static long BudgetOf(string name) =>
        AllocationBudgets.All.TryGetValue(name, out var budget) ? budget : throw new InvalidOperationException($"{AllocationBudgets.Path} has no line for {name}.");

    private static string ScenarioOf(Type type) => type.Name.Replace("Benchmarks", "", StringComparison.Ordinal);

    private static IEnumerable<Type> BenchmarkClasses() =>
        Assembly.Load("Toolkit.Benchmarks").GetExportedTypes().Where(type => !type.IsAbstract && OperationsOf(type).Any());

    private static IEnumerable<MethodInfo> OperationsOf(Type type) =>
        type.GetMethods().Where(method => method.GetCustomAttribute<BenchmarkAttribute>() is not null && method.Name.EndsWith("_" + AllocationBudgets.Ours, StringComparison.Ordinal));

    // One for each combination of parameters, ready to run.
    private static IEnumerable<object> Instances(Type type)
    {
        var setup = type.GetMethods().SingleOrDefault(method => method.GetCustomAttribute<GlobalSetupAttribute>() is not null);
        IEnumerable<(PropertyInfo Property, object Value)[]> combinations = [[]];
        foreach (var property in type.GetProperties())
        {
            if (ValuesOf(property) is { } values)
            {
                combinations = combinations.SelectMany(chosen => values.Select(value => ((PropertyInfo, object)[])[.. chosen, (property, value)]));
            }
        }

        foreach (var combination in combinations)
        {
            var benchmarks = Activator.CreateInstance(type)!;
            Array.ForEach(combination, chosen => chosen.Property.SetValue(benchmarks, chosen.Value));
            setup?.Invoke(benchmarks, null);
            yield return benchmarks;
        }
    }

    private static IEnumerable<object>? ValuesOf(PropertyInfo property) =>
        property.GetCustomAttribute<ParamsAttribute>() is { } parameters ? parameters.Values!
        : property.GetCustomAttribute<ParamsAllValuesAttribute>() is not null ? Enum.GetValues(property.PropertyType).Cast<object>()
        : null;

    // The runtime allocates now and then on its own account, so the fewest of some rounds are those of the operation. No further round is needed after one within the budget.
    private static long FewestBytes(object benchmarks, MethodInfo operation, long budget)
    {
        var run = Runner(benchmarks, operation);
        var perInvoke = operation.GetCustomAttribute<BenchmarkAttribute>()!.OperationsPerInvoke;
        var clock = Stopwatch.StartNew();
        for (var i = 0; i == 0 || (i < WarmUps && clock.Elapsed < Enough); i++)
        {
            run();
        }

        var fewest = long.MaxValue;
        for (var i = 0; i < Rounds && fewest > budget; i++)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            run();
            fewest = Math.Min(fewest, (GC.GetAllocatedBytesForCurrentThread() - before) / perInvoke);
        }

        return fewest;
    }

    // A delegate of its own type, since a call by reflection allocates what it returns.
    private static Action Runner(object benchmarks, MethodInfo operation)
    {
        if (operation.ReturnType == typeof(void))
        {
            return operation.CreateDelegate<Action>(benchmarks);
        }

        var make = typeof(AllocationBudgetTests).GetMethod(nameof(RunnerOf), BindingFlags.NonPublic | BindingFlags.Static)!;
        return (Action)make.MakeGenericMethod(operation.ReturnType).Invoke(null, [benchmarks, operation])!;
    }

    private static Action RunnerOf<T>(object benchmarks, MethodInfo operation)
    {
        var run = operation.CreateDelegate<Func<T>>(benchmarks);
        return () => run();
    }
}
