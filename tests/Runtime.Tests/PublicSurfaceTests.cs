using System.ComponentModel;
using System.Reflection;

namespace BufferedMessages.Runtime.Tests;

/// <summary>
/// The size of the public surface, which users have to learn. Counted are the public types that editors show, and their own public and protected members;
/// an override is a member of its base, and what the compiler makes of an extension block is not counted.
/// </summary>
public class PublicSurfaceTests
{
    private const int MaxTypes = 89;
    private const int MaxMembers = 462;

    private const BindingFlags Declared = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    private static readonly List<Type> Types = [.. typeof(MessageQueue).Assembly.GetExportedTypes().Where(static type => IsShown(type) && !type.FullName!.Contains('<', StringComparison.Ordinal))];

    [Fact]
    public void There_are_at_most_89_types()
    {
        Assert.Contains(typeof(MessageQueue), Types);
        Assert.True(Types.Count <= MaxTypes, $"{Types.Count} types: {string.Join(", ", Types.Select(static type => type.Name))}");
    }

    [Fact]
    public void There_are_at_most_462_members()
    {
        var members = Types.ToDictionary(static type => type, static type => type.GetMembers(Declared).Count(IsCounted));

        Assert.True(members[typeof(MessageQueue)] > 10, "The members of a queue are not counted.");
        Assert.True(members.Values.Sum() <= MaxMembers, $"{members.Values.Sum()} members: {string.Join(", ", members.Select(static pair => $"{pair.Key.Name} {pair.Value}"))}");
    }

    private static bool IsCounted(MemberInfo member) => IsShown(member) && member switch
    {
        MethodInfo method => IsVisible(method) && (!method.IsSpecialName || method.Name.StartsWith("op_", StringComparison.Ordinal)) && !IsOverride(method),
        ConstructorInfo constructor => IsVisible(constructor) && !constructor.IsStatic,
        PropertyInfo property => property.GetAccessors(nonPublic: true).Any(static accessor => IsVisible(accessor) && !IsOverride(accessor)),
        FieldInfo field => (field.IsPublic || field.IsFamily) && !field.IsSpecialName,
        EventInfo => true,
        _ => false,
    };

    private static bool IsVisible(MethodBase method) => method.IsPublic || method.IsFamily || method.IsFamilyOrAssembly;

    private static bool IsOverride(MethodInfo method) => method.GetBaseDefinition() != method;

    private static bool IsShown(MemberInfo member) => member.GetCustomAttribute<EditorBrowsableAttribute>()?.State != EditorBrowsableState.Never;
}
