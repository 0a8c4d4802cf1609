import type { MadeUpKind } from './made-up-source';

export const RESOURCE_GROUP: MadeUpKind = {
  service: 'resources',
  version: 'v1api20200601',
  kind: 'ResourceGroup',
  since: 'v2.0.0',
  apiVersion: '2020-06-01',
  armType: 'Microsoft.Resources/resourceGroups',
  scope: 'Location',
  ownerless: true,
  spec: '\tLocation *string `json:"location,omitempty"`',
  status: '\tId *string `json:"id,omitempty"`',
  toArm: '\tif made.Location != nil {\n\t\tlocation := *made.Location\n\t\tresult.Location = &location\n\t}',
  fromArm: '\tif typedInput.Id != nil {\n\t\tid := *typedInput.Id\n\t\tmade.Id = &id\n\t}',
  arm: 'type ResourceGroup_Spec struct {\n\tLocation *string `json:"location,omitempty"`\n\tName string `json:"name,omitempty"`\n}\n\n'
    + 'type ResourceGroup_STATUS struct {\n\tId *string `json:"id,omitempty"`\n}\n',
  storedIn: 'v1api20200601',
};

/** A kind with one property of every sort. */
export const BED: MadeUpKind = {
  service: 'garden',
  version: 'v20250101',
  kind: 'Bed',
  since: 'v2.20.0',
  apiVersion: '2025-01-01',
  armType: 'Microsoft.Garden/beds',
  storedIn: 'v20250101',
  spec: `
	// +kubebuilder:validation:Required
	// Location: where it is.
	Location *string \`json:"location,omitempty"\`

	OperatorSpec *BedOperatorSpec \`json:"operatorSpec,omitempty"\`

	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=100
	Length *int \`json:"length,omitempty"\`

	Soil *Soil_Sort \`json:"soil,omitempty"\`

	// +kubebuilder:validation:MaxItems=3
	Plants []Plant \`json:"plants,omitempty"\`

	Labels []string \`json:"labels,omitempty" serializationType:"explicitEmptyCollection"\`

	Notes map[string]string \`json:"notes,omitempty"\`

	Password *genruntime.SecretReference \`json:"password,omitempty"\`

	Gardener *string \`json:"gardener,omitempty" optionalConfigMapPair:"Gardener"\`

	GardenerFromConfig *genruntime.ConfigMapReference \`json:"gardenerFromConfig,omitempty" optionalConfigMapPair:"Gardener"\`

	WaterReference *genruntime.ResourceReference \`armReference:"WaterId" json:"waterReference,omitempty"\`

	RoleReference *genruntime.WellKnownResourceReference \`armReference:"RoleId" json:"roleReference,omitempty"\`

	Identity *BedIdentity \`json:"identity,omitempty"\``,
  status: '\tId *string `json:"id,omitempty"`\n\tLength *int `json:"length,omitempty"`\n\tPlants []Plant_STATUS `json:"plants,omitempty"`',
  types: `
type BedOperatorSpec struct {
	ConfigMapExpressions []*core.DestinationExpression \`json:"configMapExpressions,omitempty"\`
	ConfigMaps           *BedOperatorConfigMaps        \`json:"configMaps,omitempty"\`
	SecretExpressions    []*core.DestinationExpression \`json:"secretExpressions,omitempty"\`
	Secrets              *BedOperatorSecrets           \`json:"secrets,omitempty"\`
}

type BedOperatorConfigMaps struct {
	BedLength *genruntime.ConfigMapDestination \`json:"bedLength,omitempty"\`
	Weather   *genruntime.ConfigMapDestination \`json:"weather,omitempty"\`
}

type BedOperatorSecrets struct {
	Key *genruntime.SecretDestination \`json:"key,omitempty"\`
}

func (made *Bed) ExportKubernetesConfigMaps(_ context.Context) ([]client.Object, error) {
	collector := configmaps.NewCollector(made.Namespace)
	if made.Spec.OperatorSpec != nil {
		if made.Status.Length != nil {
			collector.AddValue(made.Spec.OperatorSpec.ConfigMaps.BedLength, *made.Status.Length)
		}
	}
	return nil, nil
}

// +kubebuilder:validation:Enum={"Clay","Sand"}
type Soil_Sort string

// One of several plants.
type Plant struct {
	Tree   *Tree   \`json:"tree,omitempty"\`
	Flower *Flower \`json:"flower,omitempty"\`
}

func (plant *Plant) ConvertToARM(resolved genruntime.ConvertToARMResolvedDetails) (interface{}, error) {
	result := &arm.Plant{}
	if plant.Tree != nil {
		tree_ARM, err := plant.Tree.ConvertToARM(resolved)
		if err != nil {
			return nil, err
		}
		tree := *tree_ARM.(*arm.Tree)
		result.Tree = &tree
	}
	if plant.Flower != nil {
		flower_ARM, err := plant.Flower.ConvertToARM(resolved)
		if err != nil {
			return nil, err
		}
		flower := *flower_ARM.(*arm.Flower)
		result.Flower = &flower
	}
	return result, nil
}

type Tree struct {
	Height *float64 \`json:"height,omitempty"\`
}

func (tree *Tree) ConvertToARM(resolved genruntime.ConvertToARMResolvedDetails) (interface{}, error) {
	result := &arm.Tree{}
	if tree.Height != nil {
		height := *tree.Height
		result.Height = &height
	}
	return result, nil
}

type Flower struct {
	Colours []Colour_Name \`json:"colours,omitempty"\`
}

func (flower *Flower) ConvertToARM(resolved genruntime.ConvertToARMResolvedDetails) (interface{}, error) {
	result := &arm.Flower{}
	for _, item := range flower.Colours {
		var temp string
		temp = string(item)
		result.Shades = append(result.Shades, arm.Colour_Name(temp))
	}
	return result, nil
}

// +kubebuilder:validation:Enum={"Blue","Red"}
type Colour_Name string

type BedIdentity struct {
	UserAssignedIdentities []UserAssignedIdentityDetails \`json:"userAssignedIdentities,omitempty"\`
}

func (identity *BedIdentity) ConvertToARM(resolved genruntime.ConvertToARMResolvedDetails) (interface{}, error) {
	result := &arm.BedIdentity{}
	result.UserAssignedIdentities = make(map[string]arm.UserAssignedIdentityDetails, len(identity.UserAssignedIdentities))
	for _, ident := range identity.UserAssignedIdentities {
		identARMID, err := resolved.ResolvedReferences.Lookup(ident.Reference)
		if err != nil {
			return nil, err
		}
		key := identARMID
		result.UserAssignedIdentities[key] = arm.UserAssignedIdentityDetails{}
	}
	return result, nil
}

type UserAssignedIdentityDetails struct {
	Reference genruntime.ResourceReference \`armReference:"Reference" json:"reference,omitempty"\`
}

type Plant_STATUS struct {
	// +kubebuilder:validation:Required
	Name *string \`json:"name,omitempty"\`
}

func (plant *Plant_STATUS) PopulateFromARM(owner genruntime.ArbitraryOwnerReference, armInput interface{}) error {
	typedInput, ok := armInput.(arm.Plant_STATUS)
	if typedInput.DisplayName != nil {
		name := *typedInput.DisplayName
		plant.Name = &name
	}
	return nil
}
`,
  toArm: `
	if made.Location != nil {
		location := *made.Location
		result.Location = &location
	}
	if made.Length != nil || made.Soil != nil {
		result.Properties = &arm.BedProperties{}
	}
	if made.Length != nil {
		length := *made.Length
		result.Properties.Size.Length = &length
	}
	if made.Soil != nil {
		var temp string
		temp = string(*made.Soil)
		soil := arm.Soil_Sort(temp)
		result.Properties.Soil = &soil
	}
	for _, item := range made.Plants {
		item_ARM, err := item.ConvertToARM(resolved)
		if err != nil {
			return nil, err
		}
		result.Properties.Plants = append(result.Properties.Plants, *item_ARM.(*arm.Plant))
	}
	for _, item := range made.Labels {
		result.Properties.Labels = append(result.Properties.Labels, item)
	}
	if result.Properties.Labels == nil {
		result.Properties.Labels = []string{}
	}
	if made.Notes != nil {
		result.Properties.Notes = make(map[string]string, len(made.Notes))
		for key, value := range made.Notes {
			result.Properties.Notes[key] = value
		}
	}
	if made.Password != nil {
		passwordSecret, err := resolved.ResolvedSecrets.Lookup(*made.Password)
		if err != nil {
			return nil, eris.Wrap(err, "looking up secret for property Password")
		}
		password := passwordSecret
		result.Properties.Password = &password
	}
	if made.Gardener != nil {
		gardener := *made.Gardener
		result.Properties.Gardener = &gardener
	}
	if made.GardenerFromConfig != nil {
		gardenerValue, err := resolved.ResolvedConfigMaps.Lookup(*made.GardenerFromConfig)
		if err != nil {
			return nil, err
		}
		gardener := gardenerValue
		result.Properties.Gardener = &gardener
	}
	if made.WaterReference != nil {
		waterARMID, err := resolved.ResolvedReferences.Lookup(*made.WaterReference)
		if err != nil {
			return nil, err
		}
		water := waterARMID
		result.Properties.WaterId = &water
	}
	if made.RoleReference != nil {
		var roleTemp string
		if made.RoleReference.WellKnownName != "" {
			roleTemp = made.RoleReference.WellKnownName
		} else {
			armID, err := resolved.ResolvedReferences.Lookup(made.RoleReference.ResourceReference)
			if err != nil {
				return nil, err
			}
			roleTemp = armID
		}
		role := roleTemp
		result.Properties.RoleId = &role
	}
	if made.Identity != nil {
		identity_ARM, err := made.Identity.ConvertToARM(resolved)
		if err != nil {
			return nil, err
		}
		identity := *identity_ARM.(*arm.BedIdentity)
		result.Identity = &identity
	}`,
  fromArm: `
	if typedInput.Id != nil {
		id := *typedInput.Id
		made.Id = &id
	}
	if typedInput.Properties != nil {
		if typedInput.Properties.Length != nil {
			length := *typedInput.Properties.Length
			made.Length = &length
		}
		for _, item := range typedInput.Properties.Plants {
			var item1 Plant_STATUS
			err := item1.PopulateFromARM(owner, item)
			if err != nil {
				return err
			}
			made.Plants = append(made.Plants, item1)
		}
	}`,
  arm: `type Bed_Spec struct {
	Identity   *BedIdentity   \`json:"identity,omitempty"\`
	Location   *string        \`json:"location,omitempty"\`
	Name       string         \`json:"name,omitempty"\`
	Properties *BedProperties \`json:"properties,omitempty"\`
}

type BedProperties struct {
	Gardener *string           \`json:"gardener,omitempty"\`
	Labels   []string          \`json:"labels"\`
	Notes    map[string]string \`json:"notes"\`
	Password *string           \`json:"password,omitempty"\`
	Plants   []Plant           \`json:"plants,omitempty"\`
	RoleId   *string           \`json:"roleId,omitempty"\`
	Size     Size              \`json:"size,omitempty"\`
	Soil     *Soil_Sort        \`json:"soil,omitempty"\`
	WaterId  *string           \`json:"waterId,omitempty"\`
}

type Size struct {
	Length *int \`json:"length,omitempty"\`
}

type Plant struct {
	Tree   *Tree   \`json:"tree,omitempty"\`
	Flower *Flower \`json:"flower,omitempty"\`
}

func (plant Plant) MarshalJSON() ([]byte, error) {
	if plant.Flower != nil {
		return json.Marshal(plant.Flower)
	}
	if plant.Tree != nil {
		return json.Marshal(plant.Tree)
	}

	return nil, nil
}

func (plant *Plant) UnmarshalJSON(data []byte) error {
	var rawJson map[string]interface{}
	err := json.Unmarshal(data, &rawJson)
	if err != nil {
		return err
	}
	discriminator := rawJson["sort"]
	if discriminator == "FlowerPlant" {
		plant.Flower = &Flower{}
		return json.Unmarshal(data, plant.Flower)
	}
	if discriminator == "TreePlant" {
		plant.Tree = &Tree{}
		return json.Unmarshal(data, plant.Tree)
	}

	return nil
}

type Tree struct {
	Height *float64 \`json:"height,omitempty"\`
}

type Flower struct {
	Shades []Colour_Name \`json:"shades,omitempty"\`
}

type BedIdentity struct {
	UserAssignedIdentities map[string]UserAssignedIdentityDetails \`json:"userAssignedIdentities,omitempty"\`
}

type UserAssignedIdentityDetails struct {
}

type Bed_STATUS struct {
	Id         *string               \`json:"id,omitempty"\`
	Properties *BedProperties_STATUS \`json:"properties,omitempty"\`
}

type BedProperties_STATUS struct {
	Length *int           \`json:"length,omitempty"\`
	Plants []Plant_STATUS \`json:"plants,omitempty"\`
}

type Plant_STATUS struct {
	DisplayName *string \`json:"displayName,omitempty"\`
}
`,
};

/** A kind that a later release no longer has. */
export const HEDGE: MadeUpKind = {
  ...RESOURCE_GROUP,
  service: 'garden',
  version: 'v20250101',
  kind: 'Hedge',
  since: 'v2.20.0',
  apiVersion: '2025-01-01',
  armType: 'Microsoft.Garden/hedges',
  scope: 'ResourceGroup',
  ownerless: false,
  arm: RESOURCE_GROUP.arm.replaceAll('ResourceGroup_', 'Hedge_'),
  storedIn: 'v20250101',
};

/** A kind that a later release brings. */
export const POND: MadeUpKind = {
  ...HEDGE,
  kind: 'Pond',
  since: 'v2.21.0',
  armType: 'Microsoft.Garden/ponds',
  arm: HEDGE.arm.replaceAll('Hedge_', 'Pond_'),
};
